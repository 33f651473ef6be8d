import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultPath } from '@grove/core';
import { type FileChange, sameBytes } from '../engine/files/file-change.ts';
import { isSpelledSo } from '../engine/files/find-place.ts';
import { Raced } from '../engine/files/raced.ts';
import { readPlainFile } from '../engine/files/read-file.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { JournalFile, JournalRow } from '../ledger/journal-row.ts';

/** A row of the journal and what is to become of it. */
export interface DecidedRow {
  readonly row: JournalRow;
  readonly stands: boolean;
  /** It stands, but not on the branch that is now: its files are left as they are unless they are older. */
  readonly elsewhere: boolean;
}

type WorkedFile = JournalFile & { readonly temp: string; readonly keep: string };

/**
 * Brings the files of rows to where the rows that stand leave them. A file is changed only while it is one of the
 * states that these rows know; anything else was written by somebody since, and stays.
 */
export async function mendFiles(parts: EngineParts, rows: readonly DecidedRow[]): Promise<void> {
  const byPath = new Map<string, { readonly file: WorkedFile; readonly row: DecidedRow }[]>();
  for (const row of rows) {
    for (const file of row.row.record.files.filter(isWorked)) {
      const known = byPath.get(file.diskPath);
      if (known === undefined) byPath.set(file.diskPath, [{ file, row }]);
      else known.push({ file, row });
    }
  }
  for (const steps of byPath.values())
    for (const { file } of steps) await clearNames(parts, file, statesOf(steps));
  // What goes first: a disk that ignores case has no room for two spellings of one name.
  const all = [...byPath.values()];
  for (const steps of all) if (wantedOf(steps) === null) await mendFile(parts, steps);
  for (const steps of all) if (wantedOf(steps) !== null) await mendFile(parts, steps);
  for (const { row, stands } of rows) if (!stands) await parts.files.removeFolders(row.record.madeFolders);
  for (const file of rows.flatMap(({ row }) => row.record.files.filter(isWorked))) {
    for (const keep of [file.keep, `${file.temp}.back`]) {
      const states = statesOf(byPath.get(file.diskPath) ?? []);
      const { conflict } = await parts.files.releaseKept({ ...file, keep }, states);
      if (conflict !== null) reportConflict(parts, file.path, conflict);
    }
  }
}

function isWorked(file: JournalFile): file is WorkedFile {
  return file.temp !== null && file.keep !== null && !sameBytes(file.before, file.after);
}

/**
 * A crash may have left a second name of ours to a file in its place. One of an earlier recovery may be all that is left
 * of what somebody saved in the very moment in which that put another file in its place.
 */
async function clearNames(
  parts: EngineParts,
  file: WorkedFile,
  states: readonly (Uint8Array | null)[],
): Promise<void> {
  const back = `${file.temp}.back`;
  await parts.files.discard(file.temp);
  const target = lstatSync(join(parts.root, file.diskPath), { bigint: true, throwIfNoEntry: false });
  for (const name of [file.keep, back]) {
    const kept = lstatSync(name, { bigint: true, throwIfNoEntry: false });
    if (target !== undefined && kept?.ino === target.ino && kept.dev === target.dev)
      await parts.files.discard(name);
  }
  const { conflict } = await parts.files.releaseKept({ ...file, keep: back }, states);
  if (conflict !== null) reportConflict(parts, file.path, conflict);
}

async function mendFile(parts: EngineParts, steps: Steps): Promise<void> {
  const { file } = decisive(steps);
  const wanted = wantedOf(steps);
  const now = bytesAt(parts, file);
  if (sameBytes(now, wanted)) return;
  if (!statesOf(steps).some((state) => sameBytes(state, now))) {
    reportLeft(parts, file.path);
    return;
  }
  const change: FileChange = { ...file, before: now, after: wanted, owner: file.owner ?? null };
  // Folders too may not have reached the disk, whichever of the writes made them.
  if (wanted !== null) await parts.files.makeFolders(foldersAbove(file.diskPath));
  // The old file itself, where it is still whole: it has its own times, and takes no room on a full disk.
  const kept = readPlainFile(file.keep, file.path, 2)?.bytes ?? null;
  const source = wanted !== null && sameBytes(kept, wanted) ? file.keep : file.temp;
  if (source === file.temp) await (await parts.files.prepare(change)).synced;
  try {
    const saved = await parts.files.place({ ...change, temp: source, keep: `${file.temp}.back` });
    if (saved !== null) reportConflict(parts, file.path, saved);
  } catch (error) {
    // Saved by somebody this very moment: their words stay.
    if (!(error instanceof Raced)) throw error;
    await parts.files.discard(file.temp);
    reportLeft(parts, file.path);
  }
}

type Steps = readonly { readonly file: WorkedFile; readonly row: DecidedRow }[];

function decisive(steps: Steps): Steps[number] {
  return steps.findLast(({ row }) => row.stands) ?? steps[0]!;
}

/** What a file is to be: as the last of the writes that stand left it, or as the first of those that do not found it. */
function wantedOf(steps: Steps): Uint8Array | null {
  const { file, row } = decisive(steps);
  return row.stands ? file.after : file.before;
}

/** Null also where a disk that ignores case has the note by another spelling. */
function bytesAt({ root }: EngineParts, { diskPath, path }: WorkedFile): Uint8Array | null {
  const absolute = join(root, diskPath);
  const isThere = lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
  return isThere && isSpelledSo(absolute) ? (readPlainFile(absolute, path)?.bytes ?? null) : null;
}

function foldersAbove(diskPath: string): string[] {
  const names = diskPath.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** All that these rows know a file to have been; a new one may have been cut off when it was still empty. */
function statesOf(steps: readonly { readonly file: WorkedFile }[]): readonly (Uint8Array | null)[] {
  const states = steps.flatMap(({ file }) => [file.before, file.after]);
  return states.includes(null) ? [...states, new Uint8Array()] : states;
}

function reportLeft(parts: EngineParts, path: VaultPath): void {
  const message = 'Somebody changed the note after a write that was cut off; their words stay.';
  parts.report({ what: 'recovery', path, message, cause: null });
}

function reportConflict(parts: EngineParts, path: VaultPath, saved: VaultPath): void {
  parts.report({
    what: 'conflict',
    path: saved,
    message: `Words that somebody wrote into "${path}" meanwhile are in "${saved}".`,
    cause: null,
  });
}
