import { GroveError } from '@grove/core';
import { lineAt } from '../../lines.ts';
import type { NoteText, Range } from '../../model.ts';
import { isCovered, lastStartingAt } from '../../outline/text-runs.ts';
import { nextVisible } from '../lines/blank-lines.ts';

const KINDS: readonly (readonly [kind: string, opening: RegExp])[] = [
  ['code fence', /^[\s>]*(?:`{3,}|~{3,})/],
  ['comment', /^%%/],
  ['block of HTML', /^\s*</],
];
// What may open a block that runs on to the end of a note.
const OPENINGS = /`{3}|~{3}|%%|</;

/**
 * True when a content may hold a block that is not closed, or what stands before it in a note may end in one:
 * only then {@link refuseUnclosed} has anything to refuse. `end` is where that ends.
 */
export function mayBeUnclosed(note: NoteText, end: number, content: string): boolean {
  return OPENINGS.test(content) || (lastStartingAt(note.literals, end - 1)?.end ?? -1) >= end;
}

/**
 * Refuses a change whose new text stands inside a code fence, comment or HTML block that was open before, or
 * opens one that takes in the text after it. `after` is the changed note, `placed` where the new text stands.
 * Throws `unclosed_block`.
 */
export function refuseUnclosed(after: NoteText, placed: Range, path: string): void {
  const before = literalOver(after, placed.start);
  if (before !== null && before.start < placed.start) {
    const line = lineAt(after.lineStarts, before.start);
    throw new GroveError('unclosed_block', { path, kind: before.kind, line, where: `the note "${path}"` });
  }
  const next = nextVisible(after.text, placed.end);
  if (next < 0) return;
  const over = literalOver(after, next);
  if (over === null || over.start < placed.start || over.start >= placed.end) return;
  const line = 1 + lineAt(after.lineStarts, over.start) - lineAt(after.lineStarts, placed.start);
  throw new GroveError('unclosed_block', { path, kind: over.kind, line, where: 'the content' });
}

function literalOver(note: NoteText, offset: number): (Range & { readonly kind: string }) | null {
  if (!isCovered(note.literals, offset)) return null;
  const { start, end } = lastStartingAt(note.literals, offset)!;
  const opening = note.text.slice(start, Math.min(end, start + 200));
  const kind = KINDS.find(([, pattern]) => pattern.test(opening))?.[0];
  return kind === undefined ? null : { start, end, kind };
}
