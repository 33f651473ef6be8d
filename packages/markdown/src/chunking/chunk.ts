import { lineAt } from '../lines.ts';
import type { Chunk, NoteText, Range } from '../model.ts';
import { cutLongText } from './cuts.ts';
import { tokenQuarters } from './tokens.ts';

// In quarters of a token. A paragraph up to `MOST` stays whole; smaller ones are joined up to `AIM`.
const AIM = 200 * 4;
const MOST = 260 * 4;
const LEAST = 40 * 4;

interface Part extends Range {
  readonly headingPath: readonly string[];
}

/**
 * Cuts a note's body into chunks for passages and embedding: by heading, about 200 tokens each, paragraphs
 * whole where they fit, then lines, sentences, words; never inside a grapheme. The chunks follow each other
 * without gap or overlap from the body's start to the end of the text; a blank body has none. `line` is
 * that of a chunk's first visible character. Takes time linear in the text.
 */
export function chunkNote(note: NoteText): Chunk[] {
  const { text, lineStarts } = note;
  const chunks: Chunk[] = [];
  for (const part of splitByHeading(note)) {
    for (const { start, end } of splitPart(note, part)) {
      const visible = start + (/\S/.exec(text.slice(start, end))?.index ?? 0);
      chunks.push({ start, end, line: lineAt(lineStarts, visible), headingPath: part.headingPath });
    }
  }
  return chunks;
}

/**
 * The stretches between headings. One that holds nothing but its heading is joined to the subsection that
 * follows; white space before the first heading to the first section.
 */
function splitByHeading({ text, bodyStart, headings, lineStarts }: NoteText): Part[] {
  if (text.slice(bodyStart).trim() === '') return [];
  const parts: Part[] = [];
  let start = bodyStart;
  let path: readonly string[] = [];
  // Where a part's own text starts: after its heading.
  let contentStart = bodyStart;
  for (const heading of headings) {
    // A heading in a bullet or quote takes the start of its line with it.
    const boundary = Math.max(lineStarts[heading.line - 1]!, bodyStart);
    if (boundary > start) {
      const below = heading.path.length > path.length && path.every((text, at) => heading.path[at] === text);
      if (!below || text.slice(contentStart, boundary).trim() !== '') {
        parts.push({ start, end: boundary, headingPath: path });
        start = boundary;
      }
    }
    path = heading.path;
    contentStart = heading.end;
  }
  parts.push({ start, end: text.length, headingPath: path });
  return parts;
}

function splitPart(note: NoteText, part: Part): Range[] {
  const chunks: { start: number; end: number; size: number }[] = [];
  for (const { start, end, size } of atoms(note, part)) {
    const last = chunks[chunks.length - 1];
    if (last !== undefined && (last.size + size <= AIM || (size < LEAST && last.size + size <= MOST))) {
      last.end = end;
      last.size += size;
    } else chunks.push({ start, end, size });
  }
  return chunks;
}

/** Paragraphs, the long ones by lines, the long lines cut. */
function* atoms(note: NoteText, part: Range): Generator<Range & { size: number }> {
  for (const paragraph of paragraphs(note, part)) {
    const size = tokenQuarters(note.text, paragraph.start, paragraph.end);
    if (size <= MOST) yield { ...paragraph, size };
    else
      for (const line of linesOf(note, paragraph)) {
        let start = line.start;
        for (const end of cutLongText(note.text, line.start, line.end, AIM)) {
          yield { start, end, size: tokenQuarters(note.text, start, end) };
          start = end;
        }
      }
  }
}

/** Runs of lines with the blank lines after them; blank lines before the first belong to it. */
function* paragraphs(note: NoteText, part: Range): Generator<Range> {
  let start = part.start;
  let [seenText, seenBlank] = [false, false];
  for (const line of linesOf(note, part)) {
    const blank = note.text.slice(line.start, line.end).trim() === '';
    if (!blank && seenText && seenBlank) {
      yield { start, end: line.start };
      start = line.start;
      seenBlank = false;
    }
    seenText ||= !blank;
    seenBlank = blank && seenText;
  }
  if (start < part.end) yield { start, end: part.end };
}

function* linesOf({ lineStarts, text }: NoteText, { start, end }: Range): Generator<Range> {
  let from = start;
  for (let line = lineAt(lineStarts, start); from < end; line += 1) {
    const to = Math.min(lineStarts[line] ?? text.length, end);
    yield { start: from, end: to };
    from = to;
  }
}
