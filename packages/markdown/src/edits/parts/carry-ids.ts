import { likeness, runsOf } from '@grove/core';
import type { BlockId, NoteText, Range } from '../../model.ts';
import { trimBlankLines } from '../lines/blank-lines.ts';
import { withLineBreaks } from '../lines/line-breaks.ts';
import { parseContent } from '../parse-content.ts';
import { blocksOf, type NameableBlock } from './blocks-of.ts';

// Less alike than this, two blocks are no versions of one another.
const ALIKE = 0.4;
const COMPARED = 400;
const MOST = 50;
const OPENING_ID = /^\s*\^([A-Za-z0-9-]+)[ \t]*(?:\n|$)/;

/** A content with the block ids that it lacked. */
export interface CarriedIds {
  readonly content: string;
  readonly remarks: readonly string[];
}

/**
 * Gives the blocks of a content the ids (`^id`) of the blocks of a note that it is to take the place of, where
 * it lacks them, so that links to them go on leading there: first to blocks with the same text, then to the
 * most alike, then by their order. `content` has `\n` for its line breaks.
 */
export function carryIds(note: NoteText, range: Range, content: string): CarriedIds {
  const old = note.blocks.filter(
    ({ start, end }) => start >= range.start && end <= range.end && note.text[start] === '^',
  );
  if (old.length === 0) return { content, remarks: [] };
  // An id that opens the content names the block above it.
  const kept = idsOf(content, note).add((OPENING_ID.exec(content)?.[1] ?? '').toLowerCase());
  const missing: BlockId[] = [];
  for (const block of old) {
    const id = block.id.toLowerCase();
    if (kept.has(id)) continue;
    missing.push(block);
    kept.add(id);
  }
  if (missing.length > 0 && isWithout(note, range, missing, content))
    return {
      content: withLineBreaks(trimBlankLines(note.text.slice(range.start, range.end)), '\n'),
      remarks: [],
    };
  let text = content;
  const lost: string[] = [];
  const carried: string[] = [];
  for (const [index, block] of missing.entries()) {
    const next = index < MOST ? carry(text, block, note, old.indexOf(block)) : null;
    if (next === null) lost.push(block.id);
    else {
      text = next;
      carried.push(block.id);
    }
  }
  const remarks: string[] = [];
  if (carried.length > 0) remarks.push(`Kept the block ids ${named(carried)}, which the content lacked.`);
  if (lost.length > 0) remarks.push(`The block ids ${named(lost)} are gone: links to them lead nowhere now.`);
  return { content: text, remarks };
}

/** Writes an id behind a block of a text. */
export function writeId(text: string, block: NameableBlock, id: string, ownLine: boolean): string {
  const head = text.slice(0, block.idAt).trimEnd();
  return ownLine
    ? `${text.slice(0, block.end)}\n\n^${id}${text.slice(block.end)}`
    : `${head} ^${id}${text.slice(block.idAt)}`;
}

/** The ids that a content names blocks by, in lower case. */
export function idsOf(content: string, { dialect }: NoteText): Set<string> {
  const ids = parseContent(content, dialect).note.blocks.map(({ id }) => id);
  return new Set(ids.map((id) => id.toLowerCase()));
}

/** True when a content is what the note has, but for the ids: then each stays where it is. */
function isWithout(note: NoteText, range: Range, ids: readonly BlockId[], content: string): boolean {
  let text = '';
  let at = range.start;
  for (const { start, end } of ids) {
    text += note.text.slice(at, start).replace(/\s+$/, '');
    at = end;
  }
  const bare = (lines: string) => trimBlankLines(withLineBreaks(lines, '\n').replace(/[ \t]+$/gm, ''));
  return bare(text + note.text.slice(at, range.end)) === bare(content);
}

function carry(
  text: string,
  { id, start, end, block }: BlockId,
  note: NoteText,
  index: number,
): string | null {
  const source = note.text.slice(block.start, block.end);
  const inside = start >= block.start && start < block.end;
  const old = inside ? note.text.slice(block.start, start) + note.text.slice(end, block.end) : source;
  const free = freeBlocks(text, note);
  const isItem = note.listItems.some((item) => item.start === block.start);
  const fitting = free.filter(({ kind }) => (kind === 'listItem') === isItem);
  const candidates = fitting.length > 0 ? fitting : free;
  const found = mostAlike(text, candidates, old) ?? candidates[Math.min(index, candidates.length - 1)];
  if (found === undefined) return null;
  for (const ownLine of inside && !found.ownLine ? [false, true] : [true, false]) {
    const next = writeId(text, found, id, ownLine);
    if (idsOf(next, note).has(id.toLowerCase())) return next;
  }
  return null;
}

function freeBlocks(text: string, note: NoteText): NameableBlock[] {
  const { note: parsed, shift } = parseContent(text, note.dialect);
  const named = new Set(parsed.blocks.map(({ block }) => block.start - shift));
  const marks = new Set(parsed.blocks.map(({ start }) => start - shift));
  return blocksOf(text).filter(({ start }) => !named.has(start) && !marks.has(start));
}

function mostAlike(text: string, blocks: readonly NameableBlock[], old: string): NameableBlock | undefined {
  const pairsOf = (block: string) => runsOf(block.trim().replace(/\s+/g, ' ').slice(0, COMPARED), 2);
  const wanted = pairsOf(old);
  let best: NameableBlock | undefined;
  let score = ALIKE;
  for (const block of blocks) {
    const found = likeness(wanted, pairsOf(text.slice(block.start, block.end)));
    if (found > score) [best, score] = [block, found];
  }
  return best;
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, 10).map((id) => `^${id}`);
  return shown.join(', ') + (ids.length > shown.length ? ' and more' : '');
}
