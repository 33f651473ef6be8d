import type { IndexEntries } from './index-entries.ts';
import type { IndexSnapshot } from './index-reader.ts';
import type { IndexChange } from './index-stat.ts';

const SECOND = 1_000_000_000n;
const MS = 1_000_000n;
// Longer ago than a caller took from a file's stat to here.
const LONG_AGO = 5n * SECOND;

/**
 * The time that a new index must not be newer than, in ms since the epoch, or null where it may have its own.
 *
 * git takes a file for unchanged whose stat is that of its entry, but looks at the content where the entry is
 * not older than the index: the file may have changed after the index was written without its time showing
 * it (git, racy-git). Many builds of git compare whole seconds. A newer index would hide such a change for
 * ever, in old entries as in those that are set now.
 */
export function timeOfIndex(
  now: bigint,
  { entries, mtimeNs }: IndexSnapshot,
  changes: readonly IndexChange[],
): number | null {
  let time = now;
  if (mtimeNs !== null && holdsYounger(entries, mtimeNs) && mtimeNs < time) time = mtimeNs;
  for (const change of changes) {
    if ('removed' in change) continue;
    const { mtimeNs: modified } = change.stat;
    if (modified > now - LONG_AGO && modified < time) time = modified;
  }
  return time === now ? null : Number(time / MS);
}

/** True when an entry's file is not older than the index, to the second. */
function holdsYounger({ bytes, starts, count }: IndexEntries, mtimeNs: bigint): boolean {
  const seconds = Number((mtimeNs / SECOND) & 0xffffffffn);
  for (let i = 0; i < count; i++) if (bytes.readUInt32BE(starts[i]! + 8) >= seconds) return true;
  return false;
}
