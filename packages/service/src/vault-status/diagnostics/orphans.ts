import { hubNear, orphanNotes } from '@grove/graph';
import type { NoteText } from '@grove/markdown';
import { linkTo, type NoteRow, possibleLinks, type View } from '@grove/vault';
import { noteFacts } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { readIfThere } from '../../notes/read.ts';
import { diagnosis, pathOf } from './diagnosis.ts';
import { callFor, type MendingOperation } from './mending-call.ts';

/** Notes with no link either way: a name in their text becomes a link, else one to the most linked note near them is added. */
export const orphanDiagnosis = diagnosis('orphans', {
  find: ({ view }) => orphanNotes(view),
  paths: pathOf,
  tell: async (scope, row) => {
    const link = await linkFor(scope, row);
    return {
      ...noteFacts(scope, row),
      why: `links to no note, and none links to it${link === null ? '' : link.isNamed ? `; it names ${link.to.path}` : `; ${link.to.path} is near`}`,
      ...(link === null ? {} : { others: [link.to.path], ...callFor(scope, [link.operation]) }),
    };
  },
});

interface NewLink {
  readonly to: NoteRow;
  readonly isNamed: boolean;
  readonly operation: MendingOperation;
}

async function linkFor({ view }: Scope, row: NoteRow): Promise<NewLink | null> {
  const note = (await readIfThere(view, row))?.note ?? null;
  return (note === null ? null : namedLink(view, row, note)) ?? nearLink(view, row);
}

/** A link where the note names another. */
function namedLink(view: View, row: NoteRow, note: NoteText): NewLink | null {
  const { text, bodyStart, lineStarts } = note;
  const mentions = view.mentions(text, { start: bodyStart, end: text.length });
  for (const { to, link, start, end, line } of possibleLinks({ view, row, note, mentions })) {
    const from = lineStarts[line - 1] ?? 0;
    const whole = text.slice(from, lineStarts[line] ?? text.length).replace(/\r?\n$/, '');
    if (text.slice(bodyStart).split(whole).length !== 2) continue;
    const replace = whole.slice(0, start - from) + link + whole.slice(end - from);
    const operation = { action: 'edit' as const, path: row.path, edits: [{ find: whole, replace }] };
    return { to, isNamed: true, operation };
  }
  return null;
}

/** A link to the most linked note of its folder, else of the vault. */
function nearLink(view: View, row: NoteRow): NewLink | null {
  const to = hubNear(view, row) ?? view.notes().find(({ id }) => id !== row.id);
  const link = to === undefined ? null : linkTo(view, { from: row, to, text: to.name });
  if (to === undefined || link === null) return null;
  return { to, isNamed: false, operation: { action: 'append', path: row.path, content: `See also ${link}` } };
}
