import type { Range } from '../../model.ts';

/** A change of a text: what a range of it is to hold. */
export interface Splice extends Range {
  readonly text: string;
}

/** A text with changes made to it, which must not overlap; at one place they apply in the order given. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
