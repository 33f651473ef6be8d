/**
 * Vectors of length 1 that stand in groups, as those of texts do; `seed` alone decides them, and all seeds have the same
 * groups.
 *
 * @example clusteredVectors(1000, 64, 1)
 */
export function clusteredVectors(count: number, dimensions: number, seed: number): Float32Array[] {
  const centres = gaussian(1);
  const groups = Array.from({ length: 50 }, () => Float32Array.from({ length: dimensions }, centres));
  const next = gaussian(seed + 1);
  return Array.from({ length: count }, (_, at) => {
    const vector = groups[(at * 7 + seed) % groups.length]!.map((number) => number + next());
    const length = Math.hypot(...vector);
    return vector.map((number) => number / length);
  });
}

/** Numbers that are about normally distributed, the same in every run. */
function gaussian(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => uniform() + uniform() + uniform() + uniform();
}
