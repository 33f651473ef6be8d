import { distance } from 'fastest-levenshtein';
import { foldCase } from './folding.ts';

/** Two letters of five: a transposition in a short word. */
const SLIP = 0.4;

/**
 * The candidates that are likely slips of `word`, nearest first, ignoring case: at most `slip` of the longer one
 * differs (two fifths unless told), or, unless `parts` is false, one is contained in the other.
 *
 * @example nearest('limt', ['limit', 'query'], 1) // ['limit']
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  count: number,
  { parts = true, slip = SLIP }: { readonly parts?: boolean; readonly slip?: number } = {},
): string[] {
  const wanted = fold(word);
  if (wanted === '') return [];
  const ranked: { readonly candidate: string; readonly away: number }[] = [];
  for (const candidate of candidates) {
    const away = awayness(wanted, fold(candidate), parts, slip);
    if (away !== null) ranked.push({ candidate, away });
  }
  ranked.sort((a, b) => a.away - b.away || (a.candidate < b.candidate ? -1 : 1));
  return ranked.slice(0, count).map(({ candidate }) => candidate);
}

/** 0 for equal, up to 1; null when the two have too little in common. */
function awayness(a: string, b: string, parts: boolean, slip: number): number | null {
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  if (parts && shorter >= 3 && (a.includes(b) || b.includes(a))) return 0.5 - shorter / longer / 2;
  // Lengths alone already differ too much: spare the matrix.
  if (longer - shorter > longer * slip) return null;
  const share = distance(a, b) / longer;
  return share <= slip || (slip === SLIP && longer <= 4 && share <= 0.5) ? share : null;
}

function fold(text: string): string {
  return foldCase(text.slice(0, 200)).trim();
}
