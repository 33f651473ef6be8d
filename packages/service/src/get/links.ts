import type { Link, NoteText } from '@grove/markdown';
import type { NoteRow, View } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import { contextOf } from './context.ts';
import type { GetAnswer, ShownLink } from './contract.ts';

/** The links that stand in the note as it was just read, and where the View sees them lead. */
export function listLinks(
  view: View,
  row: NoteRow,
  note: NoteText,
  listBytes: number,
): Pick<GetAnswer, 'links' | 'links_total'> {
  const links = [...note.links].sort((a, b) => a.start - b.start);
  const shown = fillPage(
    lazily(links, (link) => showLink(view, row, note, link)),
    listBytes,
  );
  return { links: [...shown.items], links_total: links.length };
}

function showLink(view: View, row: NoteRow, note: NoteText, link: Link): ShownLink {
  const to = view.resolveLink(link, row);
  return {
    target: clip(link.target, 300),
    kind: link.kind,
    ...(to === null ? {} : { to: to.path }),
    ...(link.heading === null ? {} : { heading: clip(link.heading, 200) }),
    ...(link.block === null ? {} : { block: clip(link.block, 100) }),
    ...(link.label === null ? {} : { label: clip(link.label, 200) }),
    line: link.line,
    context: contextOf(note, link),
  };
}

function* lazily<T, R>(items: readonly T[], make: (item: T) => R): Generator<R> {
  for (const item of items) yield make(item);
}
