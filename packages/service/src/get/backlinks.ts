import type { Link, NoteText } from '@grove/markdown';
import type { NoteRow, ServedNote, View } from '@grove/vault';
import { noteFacts } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { mapBounded, readIfThere } from '../notes/read.ts';
import type { GetBounds } from './bounds.ts';
import { contextOf } from './context.ts';
import type { GetAnswer, ShownBacklink } from './contract.ts';

/**
 * The notes of the View that link here, each with the lines that do. Lines are taken from the notes as they are on
 * disk now, and only where they still link here.
 */
export async function listBacklinks(
  scope: Scope,
  target: NoteRow,
  { linkingNotes, linkingLines }: Pick<GetBounds, 'linkingNotes' | 'linkingLines'>,
  listBytes: number,
): Promise<Pick<GetAnswer, 'backlinks' | 'backlinks_total'>> {
  const { view } = scope;
  await view.linksKnown();
  const backlinks = view.backlinks(target);
  const sources = [...new Map(backlinks.map(({ from }) => [from.id, from])).values()];
  // Looked at in the turn in which it was read: a moment later the View may show it no more.
  const shown = await mapBounded(sources.slice(0, linkingNotes), 8, async (from) => {
    const served = await readIfThere(view, from);
    return served === null ? [] : linesTo(scope, served, target).slice(0, linkingLines);
  });
  const page = fillPage(shown.flat(), listBytes);
  return { backlinks: [...page.items], backlinks_total: Math.max(backlinks.length, page.items.length) };
}

function linesTo(scope: Scope, { row, note }: ServedNote, target: NoteRow): ShownBacklink[] {
  return firstOfEachLine(note, scope.view, row, target).map((link) => ({
    ...noteFacts(scope, row),
    line: link.line,
    context: contextOf(note, link),
  }));
}

function firstOfEachLine(note: NoteText, view: View, row: NoteRow, target: NoteRow): Link[] {
  const links = note.links
    .filter((link) => view.resolveLink(link, row)?.id === target.id)
    .sort((a, b) => b.start - a.start);
  return [...new Map(links.map((link) => [link.line, link])).values()].sort((a, b) => a.line - b.line);
}
