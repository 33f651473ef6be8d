import { folderOf } from '@grove/core';
import { duplicateTitles, isFreeTitle, isReadable } from '@grove/graph';
import type { NoteRow, View } from '@grove/vault';
import { clip, noteFacts } from '../../answers/note-facts.ts';
import { diagnosis } from './diagnosis.ts';
import { callFor, type MendingOperation } from './mending-call.ts';

/** Notes of one title that are named, and told apart in one call. */
const MOST = 10;

/** Notes that a reader cannot tell apart by their titles: the first keeps its own, the others get one that says where they lie. */
export const duplicateTitleDiagnosis = diagnosis('duplicate_titles', {
  find: ({ view }) => duplicateTitles(view),
  paths: (rows) => rows.map(({ path }) => path),
  tell: (scope, rows) => {
    const [first, ...others] = rows as [NoteRow, ...NoteRow[]];
    const shown = others.slice(0, MOST);
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    return {
      ...noteFacts(scope, first),
      why: clip(`has the title "${clip(first.title, 100)}" in common with ${others[0]?.path}${more}`, 600),
      others: shown.map(({ path }) => path),
      ...callFor(scope, renaming(scope.view, shown)),
    };
  },
});

function renaming(view: View, rows: readonly NoteRow[]): readonly MendingOperation[] {
  const taken = new Set<string>();
  return rows.filter(isReadable).map(({ path, title }) => {
    const folder = folderOf(path);
    const place = folder.slice(folder.lastIndexOf('/') + 1);
    const [free = title] = titlesFor(title, place).filter(
      (one) => isFreeTitle(view, one) && !taken.has(one.toLowerCase()),
    );
    taken.add(free.toLowerCase());
    return { action: 'frontmatter', path, set: { title: free } };
  });
}

/** What a note may be called instead, as it is wanted. */
function titlesFor(title: string, place: string): string[] {
  const placed = place === '' ? [] : [`${title} (${place})`];
  return [...placed, ...Array.from({ length: 2 * MOST }, (_, at) => `${title} ${at + 2}`)];
}
