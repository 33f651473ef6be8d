import { lineAt, type NoteText, noteMap } from '@grove/markdown';
import type { ServedNote } from '@grove/vault';
import { clip, isoTime, noteFacts, oneLine } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { BOUNDED } from '../get/bounds.ts';
import { shownFrontmatter } from '../get/frontmatter.ts';
import type { ManyNote } from './contract.ts';

const SUMMARY = 300;
const OUTLINE_BYTES = 4 * 1024;

/** One note of several, in the format asked for; hashes only where it is whole. */
export function showNote(
  scope: Scope,
  asked: string,
  served: ServedNote,
  format: 'full' | 'summary' | 'map',
): ManyNote {
  const { row, note } = served;
  const frontmatter = format === 'map' ? { shown: {}, whole: false } : shownFrontmatter(note, BOUNDED);
  const { error } = note.frontmatter;
  return {
    ...(asked === row.path ? {} : { asked }),
    ...noteFacts(scope, row),
    ...(row.type === null ? {} : { type: clip(row.type, 100) }),
    ...frontmatter.shown,
    ...(error === null ? {} : { frontmatter_error: { message: clip(error.message, 300), line: error.line } }),
    ...parts(note, format),
    ...(format === 'full' && frontmatter.whole
      ? { source_hash: scope.sourceHash(row), content_hash: row.contentHash }
      : {}),
    size: row.size,
    modified: isoTime(scope, scope.view.times(row).modified),
  };
}

/** The note as it is named when its text is longer than any answer. */
export function withoutText(note: ManyNote): ManyNote {
  const {
    content: _,
    frontmatter: __,
    source_hash: ___,
    content_hash: ____,
    outline: _____,
    ...named
  } = note;
  return { ...named, too_large: true };
}

/** Characters of the note that count against `max_chars`: its text, else everything that is shown in its stead. */
export function charsOf({ content, summary, frontmatter, outline }: ManyNote): number {
  if (content !== undefined) return content.length;
  const properties = frontmatter === undefined ? 0 : JSON.stringify(frontmatter).length;
  const headings = (outline ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return (summary ?? '').length + properties + headings;
}

function parts(
  note: NoteText,
  format: 'full' | 'summary' | 'map',
): Pick<ManyNote, 'content' | 'line' | 'summary' | 'outline'> {
  if (format === 'full') {
    const start = bodyStart(note);
    return { content: note.text.slice(start).toWellFormed(), line: lineAt(note.lineStarts, start) };
  }
  if (format === 'summary') return { summary: clip(oneLine(firstText(note)), SUMMARY) };
  const outline = noteMap(note).headings.map(({ level, text, line }) => ({
    level,
    text: clip(text, 200),
    line,
  }));
  return { outline: [...fillPage(outline, OUTLINE_BYTES).items] };
}

/** Frontmatter that could not be read stays in the content. */
function bodyStart(note: NoteText): number {
  const { status } = note.frontmatter;
  return status === 'broken' || status === 'unclosed' ? 0 : note.bodyStart;
}

/** The first lines that are no heading. */
function firstText(note: NoteText): string {
  const body = note.text.slice(note.bodyStart, note.bodyStart + 4000);
  const first = note.headings[0];
  const opens = first !== undefined && note.text.slice(note.bodyStart, first.start).trim() === '';
  return opens ? body.slice(first.end - note.bodyStart) : body;
}
