import { isGroveError } from '@grove/core';
import type { BuiltCommit, IndexChange } from '@grove/history';
import { rebuildCommit, rebuildOn } from '../engine/commit/build-chain.ts';
import { indexEntries } from '../engine/index-entries.ts';
import { changedSince, holds } from '../engine/land.ts';
import { ledgerEntry } from '../engine/ledger-entry.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { JournalRow } from '../ledger/journal-row.ts';
import { type DecidedRow, mendFiles } from './mend-files.ts';

/** What recovery made of a row. `stands`: its write is done; else it was taken back. */
export interface RecoveredRow extends DecidedRow {
  /** The commit that holds the write. */
  readonly commit: string | null;
  readonly built: readonly BuiltCommit[];
}

/**
 * Finishes rows of the journal, oldest first. An acknowledged one is redone. Another one is completed when its
 * commit is in the history of its branch or the tip has what it puts there, else taken back; what somebody wrote
 * after it is never touched. Objects, refs and the ledger are right afterwards, files too; the caller syncs and then
 * forgets the rows.
 *
 * @param putIndex takes what git's index has to say of the touched paths
 */
export async function recoverRows(
  parts: EngineParts,
  rows: readonly JournalRow[],
  putIndex: (entries: readonly IndexChange[]) => Promise<void>,
): Promise<readonly RecoveredRow[]> {
  const built: (readonly BuiltCommit[] | null)[] = [];
  // All objects first: a later row, and the tip itself, may stand on those of an earlier one.
  for (const row of rows) built.push(await storeObjects(parts, row));
  const recovered: RecoveredRow[] = [];
  for (const [at, row] of rows.entries()) recovered.push(await decide(parts, rows, row, built[at] ?? null));
  await mendFiles(parts, recovered);
  for (const { row, stands, commit } of recovered) {
    if (!stands) continue;
    const entry = ledgerEntry(row.record, commit, parts.clock.now());
    if (row.acknowledged && commit === row.record.commits.at(-1)?.oid) continue;
    parts.ledger.acknowledge(row.id, row.record, entry);
  }
  await putIndex(await entriesOf(parts, recovered));
  return recovered;
}

/** Writes a row's objects again where they are missing or damaged; null when they cannot be made again. */
async function storeObjects(
  parts: EngineParts,
  { record }: JournalRow,
): Promise<readonly BuiltCommit[] | null> {
  const all: BuiltCommit[] = [];
  for (const commit of record.commits) {
    let built: BuiltCommit;
    try {
      built = await rebuildCommit(parts, commit, record.files);
    } catch (error) {
      // The commit that it was built on is gone, with a history that somebody threw away.
      if (!isGroveError(error, 'repository_unreadable')) throw error;
      return null;
    }
    if (built.oid !== commit.oid) return null;
    await parts.git.writeObjects(built, { repair: true });
    all.push(built);
  }
  return all;
}

async function decide(
  parts: EngineParts,
  rows: readonly JournalRow[],
  row: JournalRow,
  built: readonly BuiltCommit[] | null,
): Promise<RecoveredRow> {
  const { record, acknowledged } = row;
  const last = record.commits.at(-1);
  if (last === undefined)
    return { row, stands: acknowledged, elsewhere: false, commit: record.base, built: [] };
  const stored = built ?? [];
  const tip = await parts.store.resolveRef(record.ref);
  if (tip !== null && built !== null && (await parts.git.isAncestor(last.oid, tip)))
    return { row, stands: true, elsewhere: false, commit: last.oid, built: stored };
  if (await holds(parts, tip, record))
    return { row, stands: true, elsewhere: false, commit: tip, built: stored };
  // Somebody has seen it on the branch and moved the branch away from it: that is their will.
  if (await parts.git.movedFrom(record.ref, endOfChain(rows, record.ref, last.oid)))
    return { row, stands: true, elsewhere: true, commit: last.oid, built: stored };
  if (!acknowledged) return { row, stands: false, elsewhere: false, commit: null, built: stored };
  return landAgain(parts, row, tip, stored, built !== null);
}

/** The last commit that later rows have built on this one: the branch was moved that far by Grove itself. */
function endOfChain(rows: readonly JournalRow[], ref: string, oid: string): string {
  let end = oid;
  for (const { record } of rows)
    if (record.ref === ref && record.base === end) end = record.commits.at(-1)?.oid ?? end;
  return end;
}

/** Puts an acknowledged write on its branch once more. */
async function landAgain(
  parts: EngineParts,
  row: JournalRow,
  tip: string | null,
  stored: readonly BuiltCommit[],
  isWhole: boolean,
): Promise<RecoveredRow> {
  const { record } = row;
  const { ref, base } = record;
  const gone = tip === null && base !== null;
  const changed = gone || !(await isKnown(parts, base)) ? null : await changedSince(parts, record, tip);
  if (gone || changed !== null) {
    const what = gone ? 'its branch is gone' : 'its branch has the note otherwise';
    parts.report({
      what: 'recovery',
      path: changed ?? record.files[0]?.path ?? null,
      message: `A write that was acknowledged is not in the history: ${what}. Its words are on disk.`,
      cause: null,
    });
    return { row, stands: true, elsewhere: true, commit: record.commits.at(-1)!.oid, built: stored };
  }
  const chain =
    isWhole && tip === base
      ? { commits: record.commits, built: stored }
      : await rebuildOn(parts, tip, record);
  for (const commit of chain.built) await parts.git.writeObjects(commit, { repair: true });
  const last = chain.commits.at(-1)!;
  const reflog = `grove: ${last.message.split('\n', 1)[0]}`;
  const moved = await parts.git.moveRef({ ref, from: tip, to: last.oid, reflog, who: last.committer });
  // Whoever moved it did so this very moment.
  if (moved === 'lost') return landAgain(parts, row, await parts.store.resolveRef(ref), stored, false);
  const landed = { ...row, record: { ...record, base: tip, commits: chain.commits } };
  return { row: landed, stands: true, elsewhere: false, commit: last.oid, built: chain.built };
}

async function isKnown(parts: EngineParts, commit: string | null): Promise<boolean> {
  return commit === null || (await parts.git.has(commit));
}

async function entriesOf(parts: EngineParts, rows: readonly RecoveredRow[]): Promise<IndexChange[]> {
  const head = await parts.store.resolveHead();
  const paths = new Set<string>();
  for (const { row, stands, elsewhere } of rows) {
    if (!stands || elsewhere || row.record.ref !== head.ref) continue;
    for (const commit of row.record.commits) for (const { diskPath } of commit.changes) paths.add(diskPath);
  }
  return indexEntries(parts, head.oid, paths);
}
