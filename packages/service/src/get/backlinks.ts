import type { NoteText } from '@grove/markdown';
import type { NoteRow, ServedNote, View } from '@grove/vault';
import { clip, noteFacts, oneLine } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { mapBounded, readIfThere } from '../notes/read.ts';
import type { GetBounds } from './bounds.ts';
import type { GetAnswer, ShownBacklink } from './contract.ts';

const CONTEXT = 200;

/**
 * The notes of the View that link here, each with the lines that do. Lines are taken from the notes as they are on
 * disk now, and only where they still link here.
 */
export async function listBacklinks(
  scope: Scope,
  target: NoteRow,
  { listBytes, linkingNotes, linkingLines }: Pick<GetBounds, 'listBytes' | 'linkingNotes' | 'linkingLines'>,
): Promise<Pick<GetAnswer, 'backlinks' | 'backlinks_total'>> {
  const { view } = scope;
  const backlinks = view.backlinks(target);
  const sources = [...new Map(backlinks.map(({ from }) => [from.id, from])).values()];
  const served = await mapBounded(sources.slice(0, linkingNotes), 8, (from) => readIfThere(view, from));
  const shown = served.flatMap((note) =>
    note === null ? [] : linesTo(scope, note, target).slice(0, linkingLines),
  );
  const page = fillPage(shown, listBytes);
  return { backlinks: [...page.items], backlinks_total: Math.max(backlinks.length, page.items.length) };
}

function linesTo(scope: Scope, { row, note }: ServedNote, target: NoteRow): ShownBacklink[] {
  return linesWithLink(scope.view, row, note, target).map((line) => ({
    ...noteFacts(scope, row),
    line,
    context: clip(oneLine(lineText(note, line)), CONTEXT),
  }));
}

function linesWithLink(view: View, row: NoteRow, note: NoteText, target: NoteRow): number[] {
  const lines = note.links
    .filter((link) => view.resolveLink(link, row)?.id === target.id)
    .map((link) => link.line);
  return [...new Set(lines)].sort((a, b) => a - b);
}

function lineText(note: NoteText, line: number): string {
  return note.text.slice(note.lineStarts[line - 1] ?? 0, note.lineStarts[line] ?? note.text.length);
}
