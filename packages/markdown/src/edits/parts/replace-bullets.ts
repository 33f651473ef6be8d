import { foldTitle, GroveError } from '@grove/core';
import { readProperty } from '../../dialects/logseq-properties.ts';
import { lineContentEnd, lineEnd } from '../../lines.ts';
import type { NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import { bulletText } from '../../sections/bullets.ts';
import type { Section } from '../../sections/find.ts';
import { refuseUnclosed } from '../guards/unclosed.ts';
import { badInput } from '../incoming.ts';
import { contentEnd } from '../lines/blank-lines.ts';
import { lineBreakOf, withLineBreaks } from '../lines/line-breaks.ts';
import { asBullets, indentAt, indentUnit } from '../logseq/bullets.ts';
import { parseContent } from '../parse-content.ts';
import { type EditResult, resultOf } from '../result.ts';
import { sectionIndent } from './section-region.ts';

/** What names the section in errors. */
interface Address {
  readonly section: string;
  readonly path: string;
}

/** Gives a bullet or a heading of a Logseq graph other bullets below its own text and properties. */
export function replaceBullets(
  note: NoteText,
  section: Section,
  content: string,
  remarks: readonly string[],
  address: Address,
): EditResult {
  const { text } = note;
  const { start, end } = section.content;
  const last = contentEnd(text, start, end);
  const lineBreak = lineBreakOf(text);
  const bullets = asBullets(
    withoutOwnLine(note, section, content),
    sectionIndent(note, section),
    indentUnit(note),
  );
  const block = withLineBreaks(bullets, lineBreak);
  if (block === '' && last === start) return resultOf(note, text, remarks);
  const open = block !== '' && text[start - 1] !== '\n' ? lineBreak : '';
  let rest = text.slice(last);
  if (block !== '' && last === start) {
    if (open === '') rest = lineBreak + rest;
  } else if (block === '') rest = rest.slice(lineEnd(rest, 0));
  const next = text.slice(0, start) + open + block + rest;
  if (next === text) return resultOf(note, text);
  const placed = { start: start + open.length, end: start + open.length + block.length };
  expectTree(note, section.range.start, next, placed.end, address);
  return resultOf(note, next, remarks);
}

/** Puts a content in the place of a block of a Logseq graph that an `id::` property names, which it keeps. */
export function replaceBulletBlock(
  note: NoteText,
  section: Section,
  content: string,
  remarks: readonly string[],
  address: Address,
): EditResult {
  if (content === '') throw badInput('content', 'a block that an id names cannot be empty');
  const { text } = note;
  const { start, end } = section.range;
  const bulleted = /^[-*+][ \t]/.test(text.slice(start, start + 2));
  const indent = indentAt(text, start);
  const written = bulleted ? asBullets(content, indent, indentUnit(note)).slice(indent.length) : content;
  const ids = note.blocks.filter(({ block }) => block.start === start && block.end === end);
  const id = ids.find((found) => address.section.includes(found.id)) ?? ids[0]!;
  const margin = bulleted ? `${indent}  ` : '';
  const lines = text[id.start] === '^' ? written : withIdLine(written, id.id, margin);
  const block = withLineBreaks(lines, lineBreakOf(text));
  const next = text.slice(0, start) + block + text.slice(contentEnd(text, start, end));
  if (next === text) return resultOf(note, text);
  const after = expectTree(note, start, next, start + block.length, address);
  if (!after.blocks.some((found) => found.id === id.id && found.block.start === start))
    throw overrun(address, `^${id.id} would not name it`);
  return resultOf(note, next, remarks);
}

/** A block with its `id::` line below its first line, or below all of its own where code or math fills them. */
function withIdLine(block: string, id: string, margin: string): string {
  const lines = block.split('\n');
  if (lines.some((line) => line.trim() === `id:: ${id}`)) return block;
  const fills = /^(?:[-*+][ \t]+)?(?:`{3}|~{3}|\$\$|\||>)/.test(lines[0]!);
  const child = lines.findIndex((line, index) => index > 0 && /^[ \t]*-(?:[ \t]|$)/.test(line));
  const at = !fills ? 1 : child < 0 ? lines.length : child;
  return [...lines.slice(0, at), `${margin}id:: ${id}`, ...lines.slice(at)].join('\n');
}

/** A content without the section's own bullet or heading, where that opens it and holds all the rest. */
function withoutOwnLine(note: NoteText, section: Section, content: string): string {
  const { note: parsed, shift } = parseContent(content, note.dialect);
  const { text } = parsed;
  const own = note.listItems.find(
    (item) => item.start <= section.range.start && section.range.start < item.end,
  );
  const item = parsed.listItems[0];
  const heading = parsed.headings[0];
  let from = -1;
  if (
    item !== undefined &&
    own !== undefined &&
    contentEnd(text, 0, item.treeEnd) === contentEnd(text, 0, text.length)
  ) {
    const before = text.slice(0, item.start).trim();
    const same = foldTitle(bulletText(text, item)) === foldTitle(bulletText(note.text, own));
    if (before === '' && same) from = lineEnd(text, lineContentEnd(text, item.start));
  } else if (
    heading !== undefined &&
    section.heading !== undefined &&
    text.slice(0, heading.start).trim() === ''
  ) {
    if (foldTitle(heading.text) === foldTitle(section.heading.text)) from = lineEnd(text, heading.end);
  }
  if (from < 0) return content;
  while (from < text.length && readProperty(text, from)?.bulleted === false) from = lineEnd(text, from);
  return text.slice(from).length === 0 ? '' : content.slice(from - shift);
}

/** Refuses a change after which the section at `start` would not end where the new bullets do. */
function expectTree(note: NoteText, start: number, text: string, end: number, address: Address): NoteText {
  const after = parseNote(text, { dialect: note.dialect, path: address.path });
  refuseUnclosed(after, { start, end }, address.path);
  const heading = after.headings.find((found) => found.start === start);
  const item = after.listItems.find((found) => found.start <= start && start < found.end);
  const treeEnd = heading?.sectionEnd ?? item?.treeEnd ?? -1;
  if (heading === undefined && item === undefined) return after;
  const wanted = contentEnd(text, start, end);
  if (contentEnd(text, start, treeEnd) === wanted) return after;
  throw overrun(address, 'it would end early or take in what follows');
}

function overrun({ path, section }: Address, reason: string): GroveError {
  return new GroveError('section_overrun', { path, section, reason });
}
