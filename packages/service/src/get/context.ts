import { lineAt, type NoteText, type Range } from '@grove/markdown';
import { oneLine } from '../answers/note-facts.ts';

/** In UTF-16 units: of a line, and of what stands before the place on it. */
const CONTEXT = 200;
const BEFORE = 80;

/**
 * The line on which something stands, its white space made single spaces; of a long one the part around it, with `…`
 * where something is left out.
 *
 * @example contextOf(note, { start: link.start }) // '- Feed them with [[Compost]].'
 */
export function contextOf({ text, lineStarts }: NoteText, { start }: Pick<Range, 'start'>): string {
  const line = lineAt(lineStarts, start);
  const from = lineStarts[line - 1] ?? 0;
  const next = lineStarts[line];
  const to = next === undefined ? text.length : next - 1;
  const first = Math.max(from, Math.min(start - BEFORE, to - CONTEXT));
  const last = Math.min(to, first + CONTEXT);
  const before = first > from ? '…' : '';
  const after = last < to ? '…' : '';
  // Half a character where the line is cut is left out as well.
  const shown = text.slice(first, last).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${before}${oneLine(shown)}${after}`.toWellFormed();
}
