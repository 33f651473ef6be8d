import { lineContentEnd, lineEnd } from '../../lines.ts';
import type { NoteText } from '../../model.ts';
import type { Section } from '../../sections/find.ts';
import { contentEnd } from '../lines/blank-lines.ts';
import type { Region } from './place.ts';

/**
 * The region before or after a block that an id names. An id on a line of its own stays right behind its
 * block: rows go into a table before it, all else goes after it.
 */
export function blockRegion(
  note: NoteText,
  { range }: Section,
  { at }: { readonly at: 'append' | 'prepend' },
  content: string,
): Region {
  const { text } = note;
  const rows = isRow(content) && isRow(text.slice(range.start, lineContentEnd(text, range.start)));
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  const start = Math.max(note.bodyStart, lineStart);
  if (at === 'prepend' && !rows)
    return { start, end: range.end, apart: false, tight: false, inside: start > note.bodyStart };
  const ids = note.blocks.filter(({ block }) => block.start === range.start && block.end === range.end);
  const last = rows ? range.end : Math.max(range.end, ...ids.map((id) => id.end));
  const end = contentEnd(text, start, lineContentEnd(text, Math.max(start, last - 1)));
  if (at === 'append') return { start, end, apart: false, tight: rows };
  // The first rows of a table are its head and the line below that.
  const head = lineEnd(text, lineEnd(text, range.start));
  return { start: Math.min(head, end), end, apart: false, tight: true };
}

function isRow(text: string): boolean {
  return (
    /^\s*\|.*\|\s*(?:\^[A-Za-z0-9-]+\s*)?$/m.test(text) &&
    text.split('\n').every((line) => line.trim().startsWith('|'))
  );
}
