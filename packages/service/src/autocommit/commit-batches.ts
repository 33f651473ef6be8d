import type { OutsideChange } from './outside-changes.ts';

/** What one commit holds at most: its notes are in memory together, and other writes wait meanwhile. */
const MAX_NOTES = 200;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Parts changes into commits. A note that was moved stays in one commit with the path that it left, or the history
 * would take it for a new one.
 *
 * @example commitBatches([gone, added]).length // 1
 */
export function commitBatches(changes: readonly OutsideChange[]): OutsideChange[][] {
  const batches: OutsideChange[][] = [];
  let notes = 0;
  let bytes = 0;
  for (const together of inseparable(changes)) {
    const size = together.reduce((sum, change) => sum + change.size, 0);
    const isFull = notes + together.length > MAX_NOTES || bytes + size > MAX_BYTES;
    if (batches.length === 0 || isFull) {
      batches.push([]);
      notes = 0;
      bytes = 0;
    }
    batches.at(-1)!.push(...together);
    notes += together.length;
    bytes += size;
  }
  return batches;
}

/** Moves first, each as what went and what came with the same bytes; then every other change for itself. */
function inseparable(changes: readonly OutsideChange[]): OutsideChange[][] {
  const gone = new Map<string, OutsideChange[]>();
  for (const change of changes)
    if (change.now === null && change.committed !== null)
      gone.set(change.committed, [...(gone.get(change.committed) ?? []), change]);
  const moves: OutsideChange[][] = [];
  const moved = new Set<OutsideChange>();
  for (const change of changes) {
    const former = change.committed === null && change.now !== null ? gone.get(change.now)?.pop() : undefined;
    if (former === undefined) continue;
    moves.push([former, change]);
    moved.add(former).add(change);
  }
  return [...moves, ...changes.filter((change) => !moved.has(change)).map((change) => [change])];
}
