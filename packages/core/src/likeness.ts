/**
 * Every run of `size` characters of a text, its ends counting as blanks.
 *
 * @example runsOf('ab', 2) // Set { ' a', 'ab', 'b ' }
 */
export function runsOf(text: string, size: number): ReadonlySet<string> {
  const padded = `${' '.repeat(size - 1)}${text} `;
  const runs = new Set<string>();
  for (let at = 0; at + size <= padded.length; at += 1) runs.add(padded.slice(at, at + size));
  return runs;
}

/** Sørensen–Dice coefficient of two sets, 0 to 1: how much two texts are spelt alike, by {@link runsOf} them. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const item of a) if (b.has(item)) common += 1;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}
