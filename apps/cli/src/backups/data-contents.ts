import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import { isDatabase } from './layout.ts';

/** Begins the names of what an unfinished backup or restore has put into the data folder. */
export const UNFINISHED = '.unfinished-';
/** Begins the names of folders with what a restore put aside. */
export const REPLACED = 'replaced-';

/** What was compiled and found out on this machine: derived, and another machine differs. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['cache', 'lancedb.json', 'embedder-dimensions.json']);

/** Names at the top of the data folder that no backup takes and no restore moves. */
export function staysInPlace(name: string): boolean {
  return name === 'run' || name.startsWith(UNFINISHED) || name.startsWith(REPLACED);
}

/** One thing in the data folder; `path` is relative to it, with `/`. */
export interface DataEntry {
  readonly path: string;
  /** `other`: a symbolic link, a socket, a device. */
  readonly kind: 'file' | 'folder' | 'other';
}

/**
 * All that a backup takes of a data folder, in an order that keeps what a running server writes meanwhile whole: every
 * database first, for a ledger speaks of commits that must be there; of a git dir its refs before its objects. Entries
 * are to be copied as they come; a file that is gone by then has been replaced by one that comes later.
 *
 * Left out is what is derived (`index`, `catalog.id`, `cache`), what lives only while a process runs (sockets, locks, files being written) and
 * what an earlier restore put aside.
 */
export async function* dataContents(dataDir: string): AsyncGenerator<DataEntry> {
  const entries: DataEntry[] = [];
  const gitDirs: string[] = [];
  await gather('');
  yield* entries.filter(({ path }) => isDatabase(path));
  yield* entries.filter(({ path }) => !isDatabase(path));
  for (const gitDir of gitDirs) yield* gitDirContents(dataDir, gitDir);

  async function gather(folder: string): Promise<void> {
    for (const entry of await list(join(dataDir, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isLeftOut(path)) continue;
      if (!(await isFolder(dataDir, path, entry))) entries.push({ path, kind: kindOf(entry) });
      else if (await isGitDir(join(dataDir, path))) gitDirs.push(path);
      else {
        entries.push({ path, kind: 'folder' });
        await gather(path);
      }
    }
  }
}

type Listed = Awaited<ReturnType<typeof list>>[number];

async function list(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function kindOf(entry: Listed): DataEntry['kind'] {
  return entry.isFile() ? 'file' : 'other';
}

function isLeftOut(path: string): boolean {
  if (!path.includes('/') && (staysInPlace(path) || OF_THIS_MACHINE.has(path))) return true;
  if (isDatabase(path.replace(/-(?:wal|shm|journal)$/, '')) && !isDatabase(path)) return true;
  if (/^vaults\/[^/]+\/(?:index|catalog\.id|owner\.lock[^/]*|owner\.json)$/.test(path)) return true;
  // Files of Grove's own that are being written.
  return /^(?:vaults\/[^/]+\/)?[^/]+\.(?:tmp|new)$/.test(path);
}

/** State folders may lie on another disk, with a link in their place: what is in them is taken all the same. */
async function isFolder(dataDir: string, path: string, entry: Listed): Promise<boolean> {
  if (!entry.isSymbolicLink() || !/^vaults(?:\/[^/]+(?:\/git)?)?$/.test(path)) return entry.isDirectory();
  return (await stat(join(dataDir, path)).catch(() => null))?.isDirectory() ?? false;
}

async function isGitDir(folder: string): Promise<boolean> {
  const names = new Set((await list(folder)).map(({ name }) => name));
  return names.has('HEAD') && names.has('objects') && names.has('refs');
}

async function* gitDirContents(dataDir: string, gitDir: string): AsyncGenerator<DataEntry> {
  const objects = `${gitDir}/objects`;
  const packedRefs = `${gitDir}/packed-refs`;
  // In Grove's own folder are locks and second names of files, which the owner of the vault clears away.
  const skipped = new Set([objects, packedRefs, `${gitDir}/grove`]);
  yield { path: gitDir, kind: 'folder' };
  yield* below(dataDir, gitDir, (path) => skipped.has(path) || path.endsWith('.lock'));
  // A ref that was packed meanwhile is in here.
  if ((await list(join(dataDir, gitDir))).some(({ name }) => name === 'packed-refs'))
    yield { path: packedRefs, kind: 'file' };
  yield* gitObjects(dataDir, objects);
}

/**
 * Objects are never changed. One that is packed before it is taken is in a pack that is listed afterwards, and what is
 * in a pack that goes before it is taken is in another: packs are listed again until all of a list stay. What comes anew
 * belongs to no ref that was taken, so that a server that writes on and on holds up nothing.
 */
async function* gitObjects(dataDir: string, folder: string): AsyncGenerator<DataEntry> {
  const packs = `${folder}/pack`;
  yield { path: folder, kind: 'folder' };
  yield* below(dataDir, folder, (path) => path === packs || isUnfinished(path));
  yield { path: packs, kind: 'folder' };
  const taken = new Set<string>();
  for (let hasLost = true; hasLost; ) {
    hasLost = false;
    for await (const entry of below(dataDir, packs, isUnfinished)) {
      if (taken.has(entry.path)) continue;
      taken.add(entry.path);
      yield entry;
      if (!(await isThere(join(dataDir, entry.path)))) hasLost = true;
    }
  }
}

function isUnfinished(path: string): boolean {
  return /\/tmp_[^/]*$|\.lock$/.test(path);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function* below(
  dataDir: string,
  folder: string,
  isSkipped: (path: string) => boolean,
): AsyncGenerator<DataEntry> {
  for (const entry of await list(join(dataDir, folder))) {
    const path = `${folder}/${entry.name}`;
    if (isSkipped(path)) continue;
    if (!entry.isDirectory()) yield { path, kind: kindOf(entry) };
    else {
      yield { path, kind: 'folder' };
      yield* below(dataDir, path, isSkipped);
    }
  }
}
