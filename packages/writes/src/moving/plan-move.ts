import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash, errorCode, GroveError, type VaultPath } from '@grove/core';
import { shortDiff } from '@grove/markdown';
import type { NoteRow } from '@grove/vault';
import type { FileNow, PlannedChange } from '../engine/contract.ts';
import type { MendedNote, NoteWriteCaller } from '../notes/contract.ts';
import type { PreparedOperation } from '../notes/plan-note.ts';
import { requireCurrent } from '../notes/preconditions.ts';
import type { ToldOperation } from '../notes/results.ts';
import { isShownNow } from '../notes/shown-now.ts';
import { toldOfFile, type WholeFilePlan, type WholeFileSetting } from '../notes/whole-file-plan.ts';
import { notWritable } from '../notes/write-policy.ts';
import { mendBehind, mendingLeft, mendLeft, remarksOn } from './mend-behind.ts';
import { type MendedText, mendTexts, notesToMend, type SeenMove } from './mend-texts.ts';

const DIFF_BYTES = 1024;

/**
 * A note goes to another path, and every link that led to it, or that the move would turn to another note, is written
 * anew in the same commit, in all notes that the caller sees and may write. The others are mended behind it.
 *
 * @throws GroveError the plan `note_not_found`, `note_exists`, `not_writable`, `path_taken`,
 * `hash_required`, `stale_hash`
 */
export async function planMove(
  prepared: PreparedOperation,
  setting: WholeFileSetting,
): Promise<WholeFilePlan> {
  const { target, destination } = prepared;
  const { caller, ground } = setting;
  if (destination === null) throw new TypeError('a move without a destination');
  const from = target.path;
  const to = destination;
  // Links that somebody typed a moment ago are to be mended too.
  await ground.reconcile();
  await mendLeft(setting);
  const row = caller.view.get(from);
  if (row === null) return notThere(from, to);
  const move: SeenMove = {
    view: caller.view,
    row,
    from,
    to,
    isFile: isFileFor(setting),
  };
  const rows =
    from === to
      ? [row]
      : notesToMend(move).filter(({ path }) => path === from || caller.policy.refusal(path) === null);
  const paths = [...new Set([from, to, ...rows.map(({ path }) => path)])];
  return {
    paths,
    plan: async (files) => {
      const file = await requireMovable(prepared, setting, files, to);
      if (from === to) return { changes: [], told: alreadyThere(prepared, file) };
      const mended = await mendTexts(move, await shownOf(rows, files, caller), files);
      return {
        changes: changesOf(file, from, to, mended),
        told: toldOf(prepared, setting, file, to, mended),
        followUp: mendingLeft(from, to, !caller.view.isOwner),
      };
    },
    failed: async () => {},
    done: async (followUp) =>
      from === to
        ? []
        : remarksOn(
            await mendBehind(setting, {
              from,
              to,
              handled: paths,
              followUp,
              isNarrow: ({ path }) => !caller.view.isOwner && caller.view.get(path) !== null,
            }),
            caller.view.isOwner,
          ),
  };
}

/** Told by the plan: the engine knows whether this very call has moved it before. */
function notThere(from: VaultPath, to: VaultPath): WholeFilePlan {
  return {
    paths: [from, to],
    plan: async () => {
      throw new GroveError('note_not_found', { path: from });
    },
    failed: async () => {},
    done: async () => [],
  };
}

/** The notes that are still shown as their bytes are now; the links of the others are mended behind the move. */
async function shownOf(
  rows: readonly NoteRow[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
  caller: NoteWriteCaller,
): Promise<readonly NoteRow[]> {
  if (caller.policy.notes === null) return rows;
  const shown: NoteRow[] = [];
  for (const row of rows) {
    const file = files.get(row.path) ?? null;
    if (file !== null && (await isShownNow(caller, row.path, file.bytes))) shown.push(row);
  }
  return shown;
}

async function requireMovable(
  { operation, target: { path } }: PreparedOperation,
  { caller, ifHash, also }: WholeFileSetting,
  files: ReadonlyMap<VaultPath, FileNow | null>,
  to: VaultPath,
): Promise<FileNow> {
  const { view } = caller;
  const file = files.get(path) ?? null;
  if (file === null || !(await isShownNow(caller, path, file.bytes)))
    throw new GroveError('note_not_found', { path });
  requireCurrent(operation, ifHash, { path, file, also });
  if (to !== path && (files.get(to) ?? null) !== null)
    throw !view.isOwner && view.get(to) === null
      ? notWritable(operation.to ?? to)
      : new GroveError('note_exists', { path: to });
  return file;
}

function changesOf(
  file: FileNow,
  from: VaultPath,
  to: VaultPath,
  mended: readonly MendedText[],
): PlannedChange[] {
  const own = mended.find(({ path }) => path === from);
  return [
    { path: to, after: own === undefined ? file.bytes : Buffer.from(own.text, 'utf8'), access: file.access },
    { path: from, after: null },
    ...mended
      .filter(({ path, links }) => path !== from && links > 0)
      .map(({ path, text }) => ({ path, after: Buffer.from(text, 'utf8') })),
  ];
}

function toldOf(
  prepared: PreparedOperation,
  { caller }: WholeFileSetting,
  file: FileNow,
  to: VaultPath,
  mended: readonly MendedText[],
): ToldOperation {
  const from = prepared.target.path;
  const own = mended.find(({ path }) => path === from);
  const after = own === undefined ? file.bytes : Buffer.from(own.text, 'utf8');
  const left = mended.filter((note) => note.left > 0).map(({ path }) => (path === from ? to : path));
  return toldOfFile(prepared, {
    path: to,
    movedFrom: from,
    sizeBefore: file.bytes.byteLength,
    sizeAfter: after.byteLength,
    diff: own !== undefined && caller.may.read ? shortDiff(own.before, own.text, DIFF_BYTES) : '',
    mended: mended.flatMap(({ path, links }): MendedNote[] =>
      links === 0 ? [] : [{ path: path === from ? to : path, links }],
    ),
    undo: { action: 'move', path: to, to: from, if_hash: contentHash(after) },
    remarks: left.length === 0 ? [] : [`Links that could not be written anew stand in: ${left.join(', ')}.`],
  });
}

function alreadyThere(prepared: PreparedOperation, file: FileNow): ToldOperation {
  return toldOfFile(prepared, {
    alreadyThere: true,
    sourceHash: file.sourceHash,
    contentHash: file.contentHash,
    sizeBefore: file.bytes.byteLength,
    sizeAfter: file.bytes.byteLength,
  });
}

/** Files that are no notes count where the caller could write: what links to them must not tell of others. */
function isFileFor({ caller: { view, policy }, ground }: WholeFileSetting): (path: string) => boolean {
  return (path) => {
    const isShown = view.isOwner || (!/\.md$/i.test(path) && policy.refusal(path as VaultPath) === null);
    return isShown && isPlainFile(ground.root, path);
  };
}

function isPlainFile(root: string, path: string): boolean {
  if (path.includes('\0') || path.split('/').some((segment) => segment.startsWith('.'))) return false;
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (['ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
