import { emptyNotes } from '@grove/graph';
import type { NoteRow, View } from '@grove/vault';
import { linkTo } from '@grove/vault';
import { noteFacts } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { diagnosis, pathOf } from './diagnosis.ts';
import { callFor, deletion, type MendingOperation } from './mending-call.ts';

/** Links that a text is begun with. */
const MOST = 5;

/** Notes that say nothing: one that others link to gets a first line, any other goes. */
export const emptyNoteDiagnosis = diagnosis('empty_notes', {
  find: ({ view }) => emptyNotes(view),
  paths: pathOf,
  tell: (scope, row) => {
    const linking = linkingNotes(scope.view, row);
    return {
      ...noteFacts(scope, row),
      why: `holds no text${linking.length === 0 ? ', and no note links to it' : `, and is linked to from ${linking[0]?.path}`}`,
      ...(linking.length === 0 ? {} : { others: linking.map(({ path }) => path) }),
      ...callFor(scope, mending(scope, row, linking)),
    };
  },
});

function linkingNotes(view: View, row: NoteRow): readonly NoteRow[] {
  const rows = view.sourceIds(row).flatMap((id) => view.byId(id) ?? []);
  return rows.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST);
}

function mending(scope: Scope, row: NoteRow, linking: readonly NoteRow[]): readonly MendingOperation[] {
  if (linking.length === 0) return [deletion(scope, row)];
  const links = linking.map((to) => linkTo(scope.view, { from: row, to, text: to.name }) ?? to.name);
  return [{ action: 'append', path: row.path, content: `Asked for by ${links.join(', ')}.` }];
}
