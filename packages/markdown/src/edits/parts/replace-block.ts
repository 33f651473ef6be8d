import { GroveError } from '@grove/core';
import type { NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import type { Section } from '../../sections/find.ts';
import { refuseUnclosed } from '../guards/unclosed.ts';
import { badInput } from '../incoming.ts';
import { contentEnd } from '../lines/blank-lines.ts';
import { lineBreakOf, withLineBreaks } from '../lines/line-breaks.ts';
import { type EditResult, resultOf } from '../result.ts';
import { blocksOf } from './blocks-of.ts';
import { carryIds, idsOf, writeId } from './carry-ids.ts';

/** What names the block in errors. */
interface Address {
  readonly section: string;
  readonly path: string;
}

/** Puts a content (lines ending in `\n`) in the place of a block that an id names, which goes on naming it. */
export function replaceBlock(
  note: NoteText,
  section: Section,
  content: string,
  remarks: readonly string[],
  { section: address, path }: Address,
): EditResult {
  if (content === '') throw badInput('content', 'a block that an id names cannot be empty');
  const { range } = section;
  const end = contentEnd(note.text, range.start, range.end);
  const ids = note.blocks.filter(({ block }) => block.start === range.start && block.end === range.end);
  const id = ids.find(({ id }) => address.toLowerCase().includes(id.toLowerCase()))?.id ?? ids[0]!.id;
  const behind = ids.find((found) => found.id === id)!.start >= range.end;
  const written = content.trimStart();
  const others = carryIds(withoutId(note, id), range, withId(note, written, id, behind));
  const block = withLineBreaks(others.content, lineBreakOf(note.text));
  const text = note.text.slice(0, range.start) + block + note.text.slice(end);
  if (text === note.text) return resultOf(note, text);
  const after = parseNote(text, { dialect: note.dialect, path });
  const placed = { start: range.start, end: range.start + block.length };
  refuseUnclosed(after, placed, path);
  const names = after.blocks.some(
    (found) =>
      found.id.toLowerCase() === id.toLowerCase() &&
      found.block.start === range.start &&
      contentEnd(text, range.start, Math.max(found.block.end, found.end)) >= placed.end &&
      contentEnd(text, range.start, found.block.end) <= placed.end,
  );
  if (!names) {
    const reason = `^${id} names one block, and would name another part of the note`;
    throw new GroveError('section_overrun', { path, section: address, reason });
  }
  return resultOf(note, text, [...remarks, ...others.remarks]);
}

/** The content with the id that names it, where it has none and the id does not stand behind its block already. */
function withId(note: NoteText, content: string, id: string, behind: boolean): string {
  if (behind || idsOf(content, note).has(id.toLowerCase())) return content;
  const blocks = blocksOf(content);
  const first = blocks.find(({ kind }) => kind !== 'list') ?? blocks[0];
  return first === undefined ? `${content} ^${id}` : writeId(content, first, id, first.ownLine);
}

/** The note without the id that is looked after already. */
function withoutId(note: NoteText, id: string): NoteText {
  return { ...note, blocks: note.blocks.filter((block) => block.id !== id) };
}
