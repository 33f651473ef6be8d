import { foldCase } from '@grove/core';
import { lineContentEnd } from '../../lines.ts';
import type { NoteText, Tag } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import { contentEnd } from '../lines/blank-lines.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import { insertText } from '../parts/insert-text.ts';
import { bodyRegion } from '../parts/section-region.ts';
import { nameCuts } from './page-tags.ts';
import { writtenTag } from './tag-name.ts';

/** Adds a tag at the end of a note: to a last line that is nothing but tags, else below it. */
export function addInlineTag(note: NoteText, tag: string, path: string): string {
  const written = writtenTag(tag, note.dialect);
  const { start, end } = bodyRegion(note);
  const last = contentEnd(note.text, start, end);
  const lineStart = Math.max(start, note.text.lastIndexOf('\n', last - 1) + 1);
  const tags = note.tags.filter((found) => found.source === 'inline' && found.start >= lineStart);
  const line = note.text.slice(lineStart, last);
  const marks = tags.map((found) => note.text.slice(found.start, found.end));
  if (tags.length > 0 && line.trim() === marks.join(' ')) {
    const at = lineStart + line.trimEnd().length;
    return applySplices(note.text, [{ start: at, end: at, text: ` ${written}` }]);
  }
  return insertText(note, {
    at: 'append',
    section: null,
    content: written,
    timestamp: null,
    repeat: true,
    createSection: false,
    subsections: true,
    path,
  }).text;
}

/** The note's inline uses of a tag, whatever their case. */
export function inlineUses({ tags }: NoteText, tag: string): Tag[] {
  return tags.filter(({ source, name }) => source === 'inline' && foldCase(name) === foldCase(tag));
}

/**
 * Takes the inline uses of a tag out of a note, each with at most one space beside it. A use without which
 * its line would be something else (a heading, a list item) stays: `kept` counts those.
 */
export function removeInlineTag(note: NoteText, tag: string, path: string): { text: string; kept: number } {
  const uses = inlineUses(note, tag);
  const cuts = uses.map((use) => cutOf(note, use, tag));
  const all = withoutUses(note, cuts, path);
  if (all !== null) return { text: all, kept: 0 };
  const sound = cuts.filter((cut) => withoutUses(note, [cut], path) !== null);
  const text = withoutUses(note, sound, path);
  return text === null ? { text: note.text, kept: cuts.length } : { text, kept: cuts.length - sound.length };
}

function cutOf({ text }: NoteText, { start, end }: Tag, tag: string): Splice[] {
  if (text[start] !== '#') {
    // A name in a `tags::` line of a Logseq block.
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const valueStart = text.indexOf('::', lineStart) + 2;
    const cuts = nameCuts(text, valueStart, lineContentEnd(text, start), tag);
    return cuts.filter((cut) => cut.start <= start && end <= cut.end);
  }
  const before = text[start - 1];
  const after = text[end];
  const atStart = before === undefined || before === '\n';
  if (before === ' ' && (after === undefined || /\s/.test(after)) && !isIndent(text, start))
    return [{ start: start - 1, end, text: '' }];
  if (after === ' ' && (atStart || before === ' ' || before === '\t' || isIndent(text, start)))
    return [{ start, end: end + 1, text: '' }];
  return [{ start, end, text: '' }];
}

/** True when nothing but indentation, marks of a quote or a list marker stands before on the line. */
function isIndent(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - 100), at);
  return /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+(?:\[.\][ \t]+)?)?$/.test(near);
}

/** The text without some uses; null when its blocks and links would not be the same in kind and number. */
function withoutUses(note: NoteText, uses: readonly (readonly Splice[])[], path: string): string | null {
  const cuts = uses.flat();
  const text = applySplices(note.text, cuts);
  const after = parseNote(text, { dialect: note.dialect, path });
  // `#[[several words]]` is a link too.
  const links = note.links.filter(({ start }) => !cuts.some((cut) => cut.start <= start && start < cut.end));
  const same =
    after.headings.length === note.headings.length &&
    after.headings.every(({ level }, index) => level === note.headings[index]!.level) &&
    after.listItems.length === note.listItems.length &&
    after.literals.length === note.literals.length &&
    after.links.length === links.length &&
    after.bodyStart === note.bodyStart;
  return same ? text : null;
}
