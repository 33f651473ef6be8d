import { GroveError } from '@grove/core';
import type { NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import type { Section } from '../../sections/find.ts';
import { refuseUnclosed } from '../guards/unclosed.ts';
import { contentEnd, contentStart, countBreaks, firstLine } from '../lines/blank-lines.ts';
import { lineBreakOf } from '../lines/line-breaks.ts';

/** What names the section in errors, and how far it goes. */
interface Address {
  readonly section: string;
  readonly subsections: boolean | null;
  readonly path: string;
}

/**
 * The note's text with a body (trimmed, its line breaks those of the note) below a heading, blank lines as
 * they were. Throws `section_overrun` or `unclosed_block` where the section would not be that body.
 */
export function fillHeading(note: NoteText, section: Section, body: string, address: Address): string {
  const { start, end } = section.content;
  const old = note.text.slice(start, end);
  const first = contentStart(old, 0, old.length);
  const last = contentEnd(old, 0, old.length);
  const isLast = end === note.text.length;
  const filled = last > 0;
  if (body === '') {
    if (!filled) return note.text;
    // The heading's line has the first of the line breaks already.
    const rest = firstLine(old.slice(last))[1];
    return check(note, section, '', '', rest, address);
  }
  const lineBreak = lineBreakOf(note.text);
  if (!filled) return fillEmpty(note, section, body, address);
  const lead = old.slice(0, first);
  const tail = old.slice(last);
  if (body === old.slice(first, last)) return note.text;
  if (isLast || countBreaks(tail, 0, tail.length) > 1) return check(note, section, lead, body, tail, address);
  // Some blocks go on until a blank line, which a heading right below would not be.
  try {
    return check(note, section, lead, body, tail, address);
  } catch (error) {
    if (!(error instanceof GroveError)) throw error;
    return check(note, section, lead, body, lineBreak + tail, address);
  }
}

function fillEmpty(note: NoteText, section: Section, body: string, address: Address): string {
  const { start, end } = section.content;
  const { text } = note;
  const lineBreak = lineBreakOf(text);
  const blank = text.slice(start, end);
  const open = text[start - 1] === '\n' ? '' : lineBreak;
  const [line, after] = firstLine(blank);
  // Spaces on a last line would become part of the body's.
  const rest = after.includes('\n') ? after : '';
  const lead = open + (line === '' ? lineBreak : line);
  const missing = Math.max(0, 2 - countBreaks(rest, 0, rest.length));
  const tail =
    end < text.length ? lineBreak.repeat(missing) + rest : rest === '' && open === '' ? lineBreak : rest;
  return check(note, section, lead, body, tail, address);
}

function check(
  note: NoteText,
  section: Section,
  lead: string,
  body: string,
  tail: string,
  { section: address, subsections, path }: Address,
): string {
  const { start, end } = section.content;
  const content = lead + body + tail;
  const text = note.text.slice(0, start) + content + note.text.slice(end);
  const after = parseNote(text, { dialect: note.dialect, path });
  const placed = { start: start + lead.length, end: start + lead.length + body.length };
  refuseUnclosed(after, placed, path);
  const at = after.headings.findIndex((heading) => heading.start === section.range.start);
  const heading = after.headings[at];
  const next = after.headings[at + 1];
  const sectionEnd = heading?.sectionEnd ?? -1;
  const ends = subsections === false && next !== undefined ? Math.min(sectionEnd, next.start) : sectionEnd;
  if (heading !== undefined && heading.end === section.heading!.end && ends === start + content.length)
    return text;
  const within = next !== undefined && ends < start + content.length;
  throw new GroveError('section_overrun', {
    path,
    section: address,
    reason: within ? early(after, ends) : 'it would join with the text around it',
  });
}

function early(after: NoteText, end: number): string {
  const heading = after.headings.find(({ start }) => start === end);
  return heading === undefined
    ? 'it would end early'
    : `its heading "${heading.text.slice(0, 100)}" of level ${heading.level} ends the section`;
}
