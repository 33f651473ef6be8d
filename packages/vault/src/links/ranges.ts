import type { Range } from '@grove/markdown';

/** The ranges, sorted, with those that touch put together. */
export function unionOf(ranges: readonly Range[]): Range[] {
  const union: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = union.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else union.push({ start, end });
  }
  return union;
}

/** True where a union holds a part of the range. */
export function covers(union: readonly Range[], { start, end }: Range): boolean {
  let low = 0;
  let high = union.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((union[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return (union[low]?.start ?? Number.POSITIVE_INFINITY) < end;
}
