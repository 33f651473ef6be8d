/** A number below one that looks random and is the same each time. */
function chance(...seed: readonly number[]): number {
  let hash = 2_166_136_261;
  for (const number of seed) hash = Math.imul(hash ^ (number + 0x9e37), 16_777_619) >>> 0;
  hash ^= hash >>> 13;
  return (Math.imul(hash, 0x5bd1e995) >>> 0) / 2 ** 32;
}

/** Which of the unsynced operations are on disk after a power loss: none, all but few, few, half of them. */
export const PARTS: readonly ((at: number, count: number) => boolean)[] = [
  () => false,
  (at, count) => chance(at, count, 1) < 0.9,
  (at, count) => chance(at, count, 2) < 0.1,
  (at, count) => chance(at, count, 3) < 0.5,
];
