import { isDeepStrictEqual } from 'node:util';
import { GroveError } from '@grove/core';
import { readPageProperties } from '../dialects/logseq-properties.ts';
import { findFences } from '../frontmatter/fences.ts';
import { readFrontmatter } from '../frontmatter/read.ts';
import { lineEnd } from '../lines.ts';
import type { Dialect, NoteText } from '../model.ts';
import { parseNote } from '../parse.ts';
import { refuseElision } from './guards/elision.ts';
import { refuseShrinking } from './guards/shrink.ts';
import { acceptJson, acceptText, badInput, contentRemarks } from './incoming.ts';
import { contentStart } from './lines/blank-lines.ts';
import { keepLineBreaks, lineBreakOf, withLineBreaks } from './lines/line-breaks.ts';
import { newNoteText } from './new-note.ts';
import { replaceProperties } from './properties/replace-properties.ts';
import { type EditResult, resultOf } from './result.ts';

/** A whole note. */
export interface WholeWrite {
  /** The body, or the body below a frontmatter block. */
  readonly content: string;
  /** All of the note's properties, in the place of those it has; null to keep what the note or `content` has. */
  readonly frontmatter: Readonly<Record<string, unknown>> | null;
  /** True to write what the guards against lost text would refuse. */
  readonly overwrite: boolean;
  /** The note's path, named in errors. */
  readonly path: string;
  /** Dialect of a note that is not there yet. Default `obsidian`. */
  readonly dialect?: Dialect;
}

/**
 * Writes a whole note, new or over an old one. Content without frontmatter keeps the old block; a block in the
 * content, or `frontmatter`, takes its place, and of the latter only what differs is written anew. Line breaks,
 * byte order mark, the blank lines below the block and the end of the file stay as they were; a new note ends
 * in one line break.
 *
 * Throws `bad_input` (also for a block in the content and another `frontmatter`), `would_break_frontmatter`,
 * and unless `overwrite`: `would_shrink`, `elided_content`.
 *
 * @example writeWhole(parseNote('---\na: 1\n---\nOld\n', options), { content: 'New', … }).text // '---\na: 1\n---\nNew\n'
 */
export function writeWhole(note: NoteText | null, change: WholeWrite): EditResult {
  acceptText('content', change.content);
  const { path, overwrite } = change;
  if (note === null) {
    const { content, frontmatter, dialect = 'obsidian' } = change;
    const text = newNoteText({ content, frontmatter, dialect, path });
    return { text, alreadyThere: false, remarks: contentRemarks(content) };
  }
  const lineBreak = lineBreakOf(note.text);
  const content = withLineBreaks(change.content.replace(/^\ufeff/, ''), lineBreak);
  const given = readBlock(content, note, path);
  const body = content.slice(given.bodyStart);
  const oldBody = note.text.slice(note.bodyStart);
  if (!overwrite) {
    refuseElision(content, note.text);
    refuseShrinking(oldBody, body, path);
  }
  const mark = note.text.startsWith('\ufeff') ? '\ufeff' : '';
  const block = given.block ?? note.text.slice(mark.length, note.bodyStart);
  const joined = mark + closed(block, body, lineBreak) + withOldEdges(note, body, given.block !== null);
  const text = withProperties(note, joined, given.block !== null, change);
  return resultOf(note, keepLineBreaks(note.text, text), contentRemarks(change.content));
}

interface GivenBlock {
  /** The block that opens the content, or null. */
  readonly block: string | null;
  readonly bodyStart: number;
}

function readBlock(content: string, note: NoteText, path: string): GivenBlock {
  const fences = findFences(content);
  if (fences.status === 'none') return { block: null, bodyStart: 0 };
  const { frontmatter, bodyStart } = readFrontmatter(content);
  if (frontmatter.status === 'ok') return { block: content.slice(0, bodyStart), bodyStart };
  // A rule `---` may open the body of a note that keeps its block, or that began with one before.
  const isRule = fences.status === 'unclosed' && !/^---[ \t]*\r?\n[\w-]+:(?:\s|$)/.test(content);
  if (isRule && (note.frontmatter.block !== null || note.frontmatter.status === 'unclosed'))
    return { block: null, bodyStart: 0 };
  throw new GroveError('would_break_frontmatter', {
    path,
    reason: frontmatter.error?.message ?? 'it is broken',
  });
}

/** The body between the blank lines that the old one had: below its block, and at the end of the file. */
function withOldEdges(note: NoteText, body: string, newBlock: boolean): string {
  const trimmed = body.replace(/[\r\n]+$/, '');
  const old = note.text.slice(note.bodyStart);
  if (trimmed.trim() === '') return old.trim() === '' ? old : '';
  const lead = old.slice(0, contentStart(old, 0, old.length));
  const keepsLead = note.bodyStart > 1 && !newBlock && contentStart(trimmed, 0, trimmed.length) === 0;
  const tail = old.trim() === '' ? lineBreakOf(note.text) : (/[\r\n]*$/.exec(old)?.[0] ?? '');
  return (keepsLead && old.trim() !== '' ? lead : '') + trimmed + tail;
}

/** The block with a line break behind it where a body follows. */
function closed(block: string, body: string, lineBreak: string): string {
  return block === '' || block.endsWith('\n') || body.trim() === '' ? block : block + lineBreak;
}

/** The text with `frontmatter` for its properties, and in Logseq with the old ones where it has none. */
function withProperties(note: NoteText, text: string, hasBlock: boolean, change: WholeWrite): string {
  const { dialect } = note;
  const { path } = change;
  if (change.frontmatter === null) return dialect === 'logseq' ? withOldPageProperties(note, text) : text;
  const wanted = acceptJson('frontmatter', change.frontmatter) as Record<string, unknown>;
  const written = parseNote(text, { dialect, path });
  const inContent = dialect === 'logseq' && readPageProperties(text, written.bodyStart).length > 0;
  if (hasBlock || inContent) {
    if (isDeepStrictEqual(written.frontmatter.data, wanted)) return text;
    throw badInput('frontmatter', 'the content has properties of its own, which differ');
  }
  if (dialect === 'logseq') {
    const old = parseNote(withOldPageProperties(note, text), { dialect, path });
    return replaceProperties(old, wanted, path);
  }
  return replaceProperties(written, wanted, path);
}

/** Page properties are part of a Logseq body, and stay as a frontmatter block would where the content has none. */
function withOldPageProperties(note: NoteText, text: string): string {
  const old = readPageProperties(note.text, note.bodyStart);
  const bodyStart = findFences(text).bodyStart;
  if (old.length === 0 || readPageProperties(text, bodyStart).length > 0) return text;
  const first = note.text.slice(note.bodyStart, old[0]!.start).trim() === '' ? note.bodyStart : -1;
  // Properties of the first bullet are that bullet's own.
  if (first < 0) return text;
  const end = lineEnd(note.text, old.at(-1)!.end);
  const gap = contentStart(note.text, end, note.text.length);
  const lead = text.slice(0, bodyStart);
  return lead + note.text.slice(note.bodyStart, gap < note.text.length ? gap : end) + text.slice(bodyStart);
}
