import { GroveError, isGroveError } from '@grove/core';
import { findSection, lineAt, type NoteText, type Section, sectionHash } from '@grove/markdown';
import type { ServedNote } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import { cutAt } from '../answers/size.ts';
import type { GetAnswer } from './contract.ts';

/** Which part of a note is shown. */
export interface ContentRequest {
  readonly format: 'full' | 'raw' | 'map';
  readonly section: string | null;
  readonly subsections: boolean;
  /** Characters of that part to skip. */
  readonly offset: number;
  /** Bytes that the content may take. */
  readonly budget: number;
  /** False when properties were left out: the note is then not whole in the answer. */
  readonly frontmatterShown: boolean;
  /** Null for what is not the note of now: then no hash is given. */
  readonly sourceHash: string | null;
}

type ContentFields = Pick<
  GetAnswer,
  | 'section'
  | 'content'
  | 'line'
  | 'end_line'
  | 'source_hash'
  | 'content_hash'
  | 'section_hash'
  | 'total_chars'
  | 'next_offset'
>;

/**
 * The text that was asked for, as much of it as the budget holds, with the file's line numbers; and the hashes, when
 * nothing of it is left out.
 *
 * @throws GroveError `section_not_found`, `section_ambiguous`, `bad_input` for an offset beyond the end
 */
export function showContent(
  served: ServedNote,
  request: ContentRequest,
): { readonly answer: ContentFields; readonly remarks: readonly string[] } {
  const { row, note } = served;
  const section = request.section === null ? null : findPart(note, request.section, request, row.path);
  const whole = section?.range ?? { start: contentStart(note, request.format), end: note.text.length };
  const start = startAt(whole, request.offset, note.text);
  const end = cutAt(note.text.slice(0, whole.end), start, request.budget, Math.floor(request.budget * 1.35));
  const complete = start === whole.start && end === whole.end;
  const answer: ContentFields = {
    ...(section === null ? {} : { section: clip(section.heading?.address ?? request.section ?? '', 200) }),
    content: note.text.slice(start, end).toWellFormed(),
    line: lineAt(note.lineStarts, start),
    end_line: lineAt(note.lineStarts, Math.max(start, end - 1)),
    ...(complete ? hashes(served, section, request) : {}),
    total_chars: whole.end - whole.start,
    ...(end < whole.end ? { next_offset: end - whole.start } : {}),
  };
  return { answer, remarks: end < whole.end ? [cutRemark(whole.start, start, end, whole.end)] : [] };
}

function findPart(note: NoteText, address: string, request: ContentRequest, path: string): Section {
  try {
    return findSection(note, address, { path, subsections: request.subsections });
  } catch (error) {
    if (!isGroveError(error, 'section_not_found')) throw error;
    const { nearest } = error.data;
    if (Array.isArray(nearest) && nearest.length > 0) throw error;
    throw new GroveError(error.code, error.data, { cause: error, hint: addressable(note, address) });
  }
}

/** The next step where no heading is near. */
function addressable(note: NoteText, address: string): string {
  if (address.startsWith('^'))
    return note.blocks.length === 0
      ? 'No block of the note has an id: read the whole note, or a section by its heading.'
      : 'Get the note with format map to see its blocks.';
  return note.headings.length === 0
    ? 'The note has no headings: read the whole of it.'
    : 'Get the note with format map to see its headings.';
}

/** Raw is the file. Frontmatter that could not be read stays in the content, so that nothing is lost from sight. */
function contentStart(note: NoteText, format: 'full' | 'raw' | 'map'): number {
  const { status } = note.frontmatter;
  return format === 'raw' || status === 'broken' || status === 'unclosed' ? 0 : note.bodyStart;
}

function startAt(
  whole: { readonly start: number; readonly end: number },
  offset: number,
  text: string,
): number {
  const length = whole.end - whole.start;
  if (offset > 0 && offset >= length)
    throw new GroveError('bad_input', {
      name: 'offset',
      reason: `"offset" is beyond the end: there are ${length} characters`,
    });
  const start = whole.start + offset;
  // An offset that a caller made up may fall into a surrogate pair: the character is shown whole.
  return offset > 0 && isInsidePair(text, start) ? start - 1 : start;
}

function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

function hashes(
  { row, note }: ServedNote,
  section: Section | null,
  { frontmatterShown, sourceHash }: ContentRequest,
): Pick<ContentFields, 'source_hash' | 'content_hash' | 'section_hash'> {
  if (sourceHash === null) return {};
  if (section !== null) return { section_hash: sectionHash(note, section) };
  return frontmatterShown ? { source_hash: sourceHash, content_hash: row.contentHash } : {};
}

function cutRemark(whole: number, start: number, end: number, wholeEnd: number): string {
  return `Cut: characters ${start - whole} to ${end - whole} of ${wholeEnd - whole}; go on with offset ${end - whole}. A cut read gives no hash.`;
}
