import type { NoteRow } from '@grove/vault';
import { byPath } from '../by-path.ts';

/**
 * The groups of two notes or more that have a text in common, of notes by path: each by path, the groups by the path of
 * their first.
 */
export function sharing(
  rows: readonly NoteRow[],
  textOf: (row: NoteRow, place: number) => string,
): NoteRow[][] {
  const firsts = new Map<string, NoteRow>();
  const groups = new Map<string, NoteRow[]>();
  for (const [place, row] of rows.entries()) {
    const text = textOf(row, place);
    const first = firsts.get(text);
    if (first === undefined) {
      firsts.set(text, row);
      continue;
    }
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [first, row]);
    else group.push(row);
  }
  return [...groups.values()].sort((a, b) => byPath(a[0]!, b[0]!));
}
