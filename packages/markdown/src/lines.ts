/** Offsets at which the lines of a text start; the first is 0. A line ends after `\n`, so `\r\n` is one. */
export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * The 1-based line that holds an offset.
 *
 * @example lineAt([0, 6], 7) // 2
 */
export function lineAt(lineStarts: readonly number[], offset: number): number {
  return Math.max(
    countUpTo(lineStarts.length, (index) => lineStarts[index]!, offset),
    1,
  );
}

/** How many of `length` ascending numbers are at most `limit`. */
export function countUpTo(length: number, at: (index: number) => number, limit: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The offset after the line that holds `offset`: past its line break, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

/** The end of the line that holds `offset`, without its line break. */
export function lineContentEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return at > offset && text.charCodeAt(at - 1) === 0x0d ? at - 1 : at;
}
