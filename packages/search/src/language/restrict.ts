import { coversTag, foldCase, foldTag } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { Clause } from './lex-query.ts';

/**
 * Ids of the View's notes that pass the `tag:` and `path:` clauses and `within`, ascending; null when nothing
 * restricts. A tag covers what is nested in it (`tag:ai` passes `ai/ml`), `tag:ai*` every tag that starts so;
 * a path passes when it holds the text, case and Unicode form aside.
 */
export function restrict(
  view: View,
  clauses: readonly Clause[],
  within: Uint32Array | null,
): Uint32Array | null {
  const tests = clauses.flatMap((clause) => {
    const test = testOf(clause);
    return test === null ? [] : [(row: NoteRow) => test(row) !== clause.negated];
  });
  if (tests.length === 0) return within;
  const allowed = within === null ? null : new Set(within);
  const ids: number[] = [];
  for (const row of view.notes()) {
    if (allowed !== null && !allowed.has(row.id)) continue;
    if (tests.every((test) => test(row))) ids.push(row.id);
  }
  return Uint32Array.from(ids).sort();
}

function testOf(clause: Clause): ((row: NoteRow) => boolean) | null {
  if (clause.field === 'path') {
    const part = foldCase(clause.text);
    return (row) => foldCase(row.path).includes(part);
  }
  if (clause.field !== 'tag') return null;
  const tag = foldTag(clause.text);
  if (clause.form === 'prefix') return (row) => row.tags.some((name) => foldTag(name).startsWith(tag));
  return (row) => row.tags.some((name) => coversTag(tag, foldTag(name)));
}
