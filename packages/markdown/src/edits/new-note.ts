import { isDeepStrictEqual } from 'node:util';
import { GroveError } from '@grove/core';
import { readFrontmatter } from '../frontmatter/read.ts';
import type { Dialect } from '../model.ts';
import { parseNote } from '../parse.ts';
import { acceptJson, acceptText, badInput } from './incoming.ts';
import { contentEnd } from './lines/blank-lines.ts';
import { lineBreakOf } from './lines/line-breaks.ts';
import { insertText } from './parts/insert-text.ts';
import { replaceProperties } from './properties/replace-properties.ts';

/** What a note that is not there yet is made of. */
export interface NewNote {
  /** The body, or the body below a frontmatter block. */
  readonly content: string;
  readonly frontmatter: Readonly<Record<string, unknown>> | null;
  readonly dialect: Dialect;
  /** The note's path, named in errors. */
  readonly path: string;
  /** `append` puts the content into an empty note, which in a Logseq graph makes bullets of it. Default `write`. */
  readonly as?: 'write' | 'append';
  /** A heading of level 2 to put the content under; default none. */
  readonly section?: string | null;
  /** `HH:MM`, which makes the content a list item; default none. */
  readonly timestamp?: string | null;
}

/**
 * The text of a note that write, append or prepend creates. It ends in exactly one line break; in a Logseq
 * graph what is appended becomes bullets and properties become page properties. Throws `bad_input` and
 * `would_break_frontmatter`.
 *
 * @example newNoteText({ content: 'Hello', frontmatter: { tags: ['a'] }, dialect: 'obsidian', path: 'Hi.md' })
 * // '---\ntags:\n  - a\n---\nHello\n'
 */
export function newNoteText(change: NewNote): string {
  const { content, dialect, path, section = null, timestamp = null, as = 'write' } = change;
  acceptText('content', content);
  const { frontmatter, bodyStart } = readFrontmatter(content);
  if (frontmatter.status === 'broken' || frontmatter.status === 'unclosed')
    throw new GroveError('would_break_frontmatter', { path, reason: frontmatter.error?.message ?? '' });
  const block = content.slice(0, bodyStart);
  const body =
    as === 'write' && section === null && timestamp === null
      ? content.slice(bodyStart)
      : placed(change, bodyStart);
  const end = contentEnd(body, 0, body.length);
  const text = block + (end === 0 ? '' : body.slice(0, end) + lineBreakOf(content));
  if (change.frontmatter === null) return text;
  const wanted = acceptJson('frontmatter', change.frontmatter) as Record<string, unknown>;
  const note = parseNote(text, { dialect, path });
  if (note.frontmatter.block === null) return replaceProperties(note, wanted, path);
  if (isDeepStrictEqual(note.frontmatter.data, wanted)) return text;
  throw badInput('frontmatter', 'the content has properties of its own, which differ');
}

function placed(
  { content, dialect, path, section = null, timestamp = null }: NewNote,
  bodyStart: number,
): string {
  const empty = parseNote('', { dialect, path });
  const body = content.slice(bodyStart);
  return insertText(empty, {
    at: 'append',
    section,
    content: body,
    timestamp,
    repeat: true,
    createSection: true,
    subsections: true,
    path,
  }).text;
}
