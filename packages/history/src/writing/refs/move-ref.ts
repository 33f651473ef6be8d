import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, isGroveError, type WriteFs } from '@grove/core';
import type { Signature } from '../../objects/commit.ts';
import type { GitLocation } from '../../repository/location.ts';
import { RefReader } from '../../repository/refs.ts';
import { inFolder } from '../locks/make-folder.ts';
import { OwnLock } from '../locks/own-lock.ts';
import type { OwnMark } from '../locks/own-mark.ts';
import { sharedPermissions, sharing } from '../locks/shared-permissions.ts';
import { type SettingValues, settingOn } from '../rules/git-settings.ts';
import { appendReflog, reflogPath } from './reflog.ts';

/** A ref to move, by its full name. */
export interface RefMove {
  readonly ref: string;
  /** Where it must stand; null: it must not be there. */
  readonly from: string | null;
  readonly to: string;
  /** The reflog's message, such as `commit: Add a note`. */
  readonly reflog: string;
  readonly who: Signature;
}

// git waits a tenth of a second (core.filesRefLockTimeout); a hook or a virus scanner may hold it longer.
const WAIT_MS = 1000;

/** What moving a ref needs of its surroundings. */
export interface RefSurroundings {
  readonly fs: WriteFs;
  readonly mark: OwnMark;
  readonly location: GitLocation;
  readonly refs: RefReader;
  readonly settings: SettingValues;
}

/**
 * Moves a ref if it still stands where it is said to, under git's lock for it. The new file's content is
 * synced before it takes its name: after a crash the ref holds the old or the new id, never half of one.
 *
 * The reflogs, of the ref and of HEAD where it names the ref, are written after it, not before as git does:
 * a line in them then proves that the ref was moved.
 *
 * @returns `lost` when the ref stands elsewhere; nothing is changed then. Throws `git_busy`.
 */
export async function moveRef(move: RefMove, around: RefSurroundings): Promise<'moved' | 'lost'> {
  const { fs, location, settings } = around;
  const path = join(location.commonDir, ...move.ref.split('/'));
  const mode = sharedPermissions(settings.get('core.sharedrepository'));
  const making = { fs, top: location.commonDir, made: sharing(fs, mode) };
  const request = {
    fs,
    mark: around.mark,
    path: `${path}.lock`,
    kind: 'ref',
    waitMs: WAIT_MS,
    mode,
  } as const;
  const lock = await inFolder(dirname(path), making, () => OwnLock.take(request));
  try {
    // Read afresh: what is kept of packed-refs goes by the file's stat.
    if ((await new RefReader(location).resolve(move.ref)) !== move.from) return 'lost';
    await lock.write(Buffer.from(`${move.to}\n`));
    await lock.sync();
    await putInPlace(fs, lock, path);
  } finally {
    await lock.release();
  }
  try {
    await writeReflogs(move, around);
  } catch (error) {
    // The branch has moved. A line that the disk refuses is missing from its log, and nothing else is.
    if (errorCode(error) === undefined) throw error;
  }
  return 'moved';
}

/** Makes the last move of a ref durable: its name and its reflogs (the content is already). */
export async function syncRef(ref: string, around: RefSurroundings): Promise<void> {
  const { fs, location } = around;
  const path = join(location.commonDir, ...ref.split('/'));
  const refsFolder = join(location.commonDir, 'refs');
  const names: string[] = [];
  for (let folder = dirname(path); folder.startsWith(refsFolder); folder = dirname(folder))
    names.push(folder);
  for (const log of [reflogPath(location, ref), reflogPath(location, 'HEAD')]) names.push(log, dirname(log));
  for (const name of names) {
    try {
      await fs.sync(name);
    } catch (error) {
      // No log is kept, or "git pack-refs" took an empty folder away: then the ref is in packed-refs.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

async function writeReflogs(move: RefMove, { fs, location, refs, settings }: RefSurroundings): Promise<void> {
  const mode = sharedPermissions(settings.get('core.sharedrepository'));
  const head = await refs.head();
  const names = head.ref === move.ref ? [move.ref, 'HEAD'] : [move.ref];
  for (const name of names) {
    const path = reflogPath(location, name);
    const wanted = logsUpdates(settings, name) || isFile(path);
    if (wanted)
      await appendReflog(
        fs,
        path,
        name === 'HEAD' ? location.gitDir : location.commonDir,
        { ...move, message: move.reflog },
        mode,
      );
  }
}

/** git-config, core.logAllRefUpdates; a reflog that is there goes on whatever it says. */
function logsUpdates(settings: SettingValues, ref: string): boolean {
  if (settings.get('core.logallrefupdates')?.toLowerCase() === 'always') return true;
  return (
    settingOn(settings, 'core.logallrefupdates', true) &&
    /^(?:HEAD$|refs\/(?:heads|remotes|notes)\/)/.test(ref)
  );
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

async function putInPlace(fs: WriteFs, lock: OwnLock, path: string): Promise<void> {
  try {
    await lock.replace(path);
  } catch (error) {
    if (isGroveError(error) || errorCode(error) !== 'EISDIR') throw error;
    // Folders that a removed branch `a/b` left stand in the way of the branch `a`.
    await removeEmptyFolders(fs, path);
    await lock.replace(path);
  }
}

async function removeEmptyFolders(fs: WriteFs, path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmptyFolders(fs, join(path, entry.name));
  }
  await fs.rmdir(path);
}
