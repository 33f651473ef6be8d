import { blobId, GroveError } from '@grove/core';
import type { BuiltCommit } from '@grove/history';
import type { JournalFile, JournalRecord } from '../ledger/journal-row.ts';
import { rebuildOn } from './commit/build-chain.ts';
import type { EngineParts } from './parts.ts';

/** How often commits are built anew on a tip that somebody else moved. */
const TRIES = 5;

/** A record whose commit is in the history of its branch. */
export interface LandedRecord {
  readonly record: JournalRecord;
  readonly commit: string | null;
  readonly built: readonly BuiltCommit[];
}

/**
 * Puts a write's commits on its branch. When somebody moved the branch meanwhile they are built anew on its new tip,
 * unless that holds the write already or changed one of its paths otherwise.
 *
 * @throws GroveError `write_conflict`; the branch is as somebody left it then
 */
export async function land(
  parts: EngineParts,
  id: number,
  record: JournalRecord,
  built: readonly BuiltCommit[],
): Promise<LandedRecord> {
  const { git, ledger } = parts;
  let current = { record, built };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const last = current.record.commits.at(-1);
    if (last === undefined) return { ...current, commit: record.base };
    const { ref, base } = current.record;
    const reflog = `grove: ${last.message.split('\n', 1)[0]}`;
    const moved = await git.moveRef({ ref, from: base, to: last.oid, reflog, who: last.committer });
    if (moved === 'moved') return { ...current, commit: last.oid };
    const tip = await parts.store.resolveRef(ref);
    if (await holds(parts, tip, current.record)) return { ...current, commit: tip };
    const elsewhere = await changedSince(parts, current.record, tip);
    if (elsewhere !== null) throw conflict(elsewhere);
    const chain = await rebuildOn(parts, tip, current.record);
    for (const commit of chain.built) await git.writeObjects(commit);
    current = { record: { ...current.record, base: tip, commits: chain.commits }, built: chain.built };
    ledger.amend(id, current.record);
  }
  throw conflict(record.files[0]?.path ?? null);
}

/** True when a commit has at every path of a record what the record's last commit puts there. */
export async function holds(parts: EngineParts, tip: string | null, record: JournalRecord): Promise<boolean> {
  const last = record.commits.at(-1);
  if (last === undefined || tip === null) return false;
  for (const { diskPath, content } of last.changes) {
    const file = record.files.find((found) => found.diskPath === diskPath)!;
    if ((await entryOid(parts, tip, diskPath)) !== storedId(file, content)) return false;
  }
  return true;
}

/** The first path of a record that the branch has otherwise at `tip` than at the record's base, or null. */
export async function changedSince(
  parts: EngineParts,
  record: JournalRecord,
  tip: string | null,
): Promise<string | null> {
  for (const { path, diskPath } of record.files) {
    const before = await entryOid(parts, record.base, diskPath);
    if ((await entryOid(parts, tip, diskPath)) !== before) return path;
  }
  return null;
}

/** Blob that a record stores for a file, or null where there is none. */
export function storedId(file: JournalFile, content: 'before' | 'after'): string | null {
  const bytes = content === 'before' ? file.storedBefore : file.storedAfter;
  return bytes === null ? null : blobId(bytes);
}

async function entryOid(parts: EngineParts, commit: string | null, diskPath: string): Promise<string | null> {
  return (await parts.git.entryAt(commit, diskPath))?.oid ?? null;
}

/** The error of a write that somebody else's change of the same note made void. */
function conflict(path: string | null): GroveError {
  return new GroveError('write_conflict', { path: path ?? '' });
}
