import { Slices, type VaultPath } from '@grove/core';
import { indexEntries } from '../engine/index-entries.ts';
import type { IndexKeeper } from '../engine/index-keeper.ts';
import type { EngineParts } from '../engine/parts.ts';
import { isFile, isSameLeaf } from './leaves.ts';
import { notesOf } from './notes-of.ts';
import type { PulledFile, PullRecord, PullRow } from './pull-record.ts';
import { FileSettler, type Side } from './settle-files.ts';

/** How a pull ended. */
export interface PullEnd {
  /** Where words went that somebody wrote meanwhile. */
  readonly saved: readonly VaultPath[];
}

/**
 * Does a pull of which all objects are durable: journal row, files, branch, index. The index is locked meanwhile.
 *
 * @returns null when somebody moved the branch first; it is taken back then, as when it throws
 */
export async function runPull(
  parts: EngineParts,
  index: IndexKeeper,
  record: PullRecord,
  fileMode: boolean,
): Promise<PullEnd | null> {
  const { ledger, step } = parts;
  const settler = new FileSettler(parts, fileMode);
  ledger.beginPull(record);
  await step('pull_journaled');
  try {
    await settler.settle(record, () => 'after', false);
    ledger.movePull('placed');
    await step('pull_settled');
    if (!(await moved(parts, record))) {
      await takeBack(parts, settler, record);
      return null;
    }
  } catch (error) {
    await takeBack(parts, settler, record);
    throw error;
  }
  await step('pull_moved');
  await settle(parts, index, settler, record);
  return { saved: settler.saved };
}

/**
 * Finishes a pull that was cut off. While the branch stands where it stood then, the pull is done to its end. Where it
 * stands elsewhere somebody has decided otherwise: each file follows what the branch says of it, if that is a side of the
 * pull; the next pull merges anew. What somebody wrote since is never lost.
 *
 * @throws GroveError `git_in_operation`
 */
export async function finishPull(parts: EngineParts, index: IndexKeeper, row: PullRow): Promise<void> {
  const { git } = parts;
  const { record, state } = row;
  const settler = new FileSettler(parts, git.merging().fileMode);
  const head = await git.head([]);
  await settler.discardFresh(record);
  const isPlaced = state === 'placed';
  if (head.ref === record.ref && head.oid === record.base) {
    if (state !== 'undoing' && (await isWhole(parts, record))) {
      await settler.settle(record, () => 'after', isPlaced);
      if (!isPlaced) parts.ledger.movePull('placed');
      if (await moved(parts, record)) return settle(parts, index, settler, record);
    }
    return takeBack(parts, settler, record);
  }
  const sides = await sidesAt(parts, record, head.tree);
  await settler.settle(record, (file) => sides.get(file) ?? null, isPlaced);
  await settle(parts, index, settler, record);
}

async function moved({ git }: EngineParts, { ref, base, final, reflog, who }: PullRecord): Promise<boolean> {
  return (await git.moveRef({ ref, from: base, to: final, reflog, who })) === 'moved';
}

/** Index, names, and last the journal row. */
async function settle(
  parts: EngineParts,
  index: IndexKeeper,
  settler: FileSettler,
  record: PullRecord,
): Promise<void> {
  const { git, ledger, store, step } = parts;
  const { oid } = await store.resolveHead();
  const paths = record.files.map(({ path }) => path);
  index.add(await indexEntries(parts, oid, new Set([...paths, ...record.outside])));
  await index.release();
  await index.whenIn();
  await step('pull_indexed');
  await git.syncRef(record.ref);
  await git.syncIndex();
  await settler.release(record);
  ledger.finishPull(notesOf(paths));
  await step('pull_finished');
}

async function takeBack(parts: EngineParts, settler: FileSettler, record: PullRecord): Promise<void> {
  parts.ledger.movePull('undoing');
  await settler.discardFresh(record);
  await settler.settle(record, () => 'before', false);
  await settler.release(record);
  parts.ledger.finishPull([]);
}

/** False where an object of the pull was lost, with a part of the git dir: it cannot be done any more. */
async function isWhole({ git }: EngineParts, { final, files }: PullRecord): Promise<boolean> {
  const blobs = files.flatMap(({ result }) => (isFile(result) ? result.oid : []));
  const oids = new Set([final, ...blobs]);
  const slices = new Slices();
  for (const oid of oids) {
    if (slices.spent) await slices.rest();
    if (!(await git.has(oid))) return false;
  }
  return true;
}

/** The side of each file that a tree has; null where it has something else. */
async function sidesAt(
  { git }: EngineParts,
  { files }: PullRecord,
  tree: string | null,
): Promise<ReadonlyMap<PulledFile, Side | null>> {
  const merging = git.merging();
  const sides = new Map<PulledFile, Side | null>();
  const slices = new Slices();
  for (const file of files) {
    if (slices.spent) await slices.rest();
    const leaf = tree === null ? null : await merging.at(tree, file.path);
    const side = isSameLeaf(leaf, file.result) ? 'after' : isSameLeaf(leaf, file.ours) ? 'before' : null;
    sides.set(file, side);
  }
  return sides;
}
