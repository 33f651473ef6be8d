import { createHash } from 'node:crypto';
import { chunkNote, type NoteText } from '@grove/markdown';
import type { NoteRow } from '@grove/vault';
import { clip } from './clip.ts';

/** Grows when other texts are made of the same notes: they are cut anew then, and those that are new embedded. */
export const TEXTS_VERSION = 2;

/** UTF-16 units of the body that the head of a note begins with, and of one property of it. */
const OPENING = 240;
const LONGEST_PROPERTY = 400;

/** A text of a note as it is embedded, and the part of the note that it stands for. */
export interface MeaningText {
  /** Tells texts apart, whichever note they are of: equal texts have one vector. */
  readonly key: string;
  readonly text: string;
  /** UTF-16 range in the note's text. */
  readonly start: number;
  readonly end: number;
  /** 1-based line of the file at which the part is seen. */
  readonly line: number;
}

/**
 * The texts of a note that are embedded: its head (name, aliases, tags, description and how it begins), then, unless
 * that is all of it, its chunks, each under the title that the note gives itself and the headings above it. The file
 * name stands in the head alone: a new name is one text to embed, a new folder none.
 *
 * @example meaningTexts(row, note).map(({ text }) => text)
 * // ['My bread, Sourdough\nbaking\nFeed it daily. …', 'My bread > Feeding\n\n## Feeding\n\nFeed it daily. …']
 */
export function meaningTexts(row: NoteRow, note: NoteText): MeaningText[] {
  const chunks = chunkNote(note);
  const opening = chunks[0];
  const head = {
    text: headOf(row, note),
    start: note.bodyStart,
    end: opening?.end ?? note.text.length,
    line: opening?.line ?? 1,
  };
  const parts = chunks.map(({ start, end, line, headingPath }) => {
    const above = [note.title ?? '', ...headingPath].map(oneLine).filter((text) => text !== '');
    const context = above.filter((text, place) => text !== above[place - 1]).join(' > ');
    const text = note.text.slice(start, end).trim();
    return { text: context === '' ? text : `${context}\n\n${text}`, start, end, line };
  });
  // Of a short note the head says it all.
  const texts = note.text.slice(note.bodyStart).trim().length <= OPENING ? [head] : [head, ...parts];
  return texts.map((part) => ({ ...part, key: keyOf(part.text) }));
}

/** Key of a text: equal for equal texts alone. 16 bytes in base64url. */
export function keyOf(text: string): string {
  const hash = createHash('sha256').update(text).digest();
  return hash.subarray(0, 16).toString('base64url');
}

function headOf(row: NoteRow, note: NoteText): string {
  const names = [row.title, row.name, ...row.aliases].map(oneLine);
  const { description, summary } = note.frontmatter.data;
  const said = [description, summary].filter((value) => typeof value === 'string').map(oneLine);
  return [
    [...new Set(names)].join(', '),
    [...new Set(row.tags)].join(', ').slice(0, LONGEST_PROPERTY),
    ...said.map((text) => clip(text, LONGEST_PROPERTY)),
    clip(oneLine(withoutHeading(note)), OPENING),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** The body from after a first heading, which repeats the title as a rule. */
function withoutHeading({ text, bodyStart, headings }: NoteText): string {
  const first = headings[0];
  const opens = first !== undefined && text.slice(bodyStart, first.start).trim() === '';
  const from = opens ? first.end : bodyStart;
  return text.slice(from, from + OPENING * 4);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
