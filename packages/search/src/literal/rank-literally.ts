import type { NoteRow } from '@grove/vault';
import type { NoteSet } from '../engine/port.ts';
import { emptyRanking, type RankedNote, type Ranking, type SearchScope } from '../ranking/ranking.ts';

/**
 * For a query without a word that the index knows (an emoji, `=>`, part of a word): notes of exactly that
 * name, notes whose name holds it, then notes whose text holds every part of it, each by path.
 */
export async function rankLiterally(
  scope: SearchScope,
  words: readonly string[],
  filter: NoteSet | null,
  named: readonly NoteRow[],
): Promise<Ranking> {
  if (words.length === 0) return { ...emptyRanking, remarks: ['The query is empty.'] };
  const notes = new Map<number, RankedNote>();
  for (const row of named) notes.set(row.id, { row, score: 3, exact: true });
  for (const row of scope.names.containing(scope.view, words.join(' '))) {
    if (notes.has(row.id) || (filter !== null && !filter.has(row.id))) continue;
    notes.set(row.id, { row, score: 2, exact: false });
  }
  const scanned = await scope.index.scan({
    view: scope.members,
    filter,
    words,
    regex: null,
    linesPerNote: 0,
  });
  for (const { id } of scanned) {
    const row = notes.has(id) ? null : scope.view.byId(id);
    if (row !== null) notes.set(id, { row, score: 1, exact: false });
  }
  return {
    notes: [...notes.values()],
    total: notes.size,
    marking: { kind: 'all' },
    lines: { words, regex: null },
    remarks:
      notes.size === 0 ? [] : ['No word of the query is in the index; its text was searched literally.'],
  };
}
