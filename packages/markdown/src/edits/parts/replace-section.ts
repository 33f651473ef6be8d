import { foldTitle, GroveError } from '@grove/core';
import { lineEnd } from '../../lines.ts';
import type { Heading, NoteText } from '../../model.ts';
import { findSection, type Section } from '../../sections/find.ts';
import { refuseElision } from '../guards/elision.ts';
import { refuseBlock } from '../guards/second-block.ts';
import { acceptText, contentRemarks } from '../incoming.ts';
import { trimBlankLines } from '../lines/blank-lines.ts';
import { lineBreakOf, withLineBreaks } from '../lines/line-breaks.ts';
import { parseContent } from '../parse-content.ts';
import { type EditResult, resultOf } from '../result.ts';
import { carryIds } from './carry-ids.ts';
import { fillHeading } from './fill-heading.ts';
import { replaceBlock } from './replace-block.ts';
import { replaceBulletBlock, replaceBullets } from './replace-bullets.ts';
import { refuseNested } from './section-region.ts';

/** A section's new content. */
export interface Replacement {
  /** An address for {@link findSection}. */
  readonly section: string;
  /** What is to stand in it. The section's own heading line may open it; it is not doubled. */
  readonly content: string;
  /**
   * False ends the section at its first subheading. Null means that nothing was said: with its subsections,
   * and subheadings that the content lacks are an error.
   */
  readonly subsections: boolean | null;
  /** True to write a line that seems to stand for text left out. Default false. */
  readonly overwrite?: boolean;
  /** The note's path, named in errors. */
  readonly path: string;
}

/**
 * Gives a section new content: what stands below a heading, a block that an id names, or what is nested in a
 * bullet of a Logseq graph. The heading line, the blank lines around the content and all other bytes stay;
 * ids of blocks are kept where the content lacks them. The same call again changes nothing.
 *
 * Throws `bad_input`, `section_not_found`, `section_ambiguous`, `second_frontmatter`, `elided_content`,
 * `would_drop_subsections` (`data.missing`: the subheadings) and `section_overrun` (the content would end the
 * section early, or take in what follows).
 *
 * @example
 * replaceSection(parseNote('# A\n\none\n\n# B\n', options), { section: 'A', content: 'two', … }).text
 * // '# A\n\ntwo\n\n# B\n'
 */
export function replaceSection(note: NoteText, change: Replacement): EditResult {
  const { section: address, path } = change;
  acceptText('content', change.content);
  refuseBlock(change.content);
  const section = findSection(note, address, { path, subsections: change.subsections ?? true });
  const old = note.text.slice(section.range.start, section.range.end);
  if (change.overwrite !== true) refuseElision(change.content, old);
  const content = trimBlankLines(withLineBreaks(change.content, '\n'));
  const remarks = contentRemarks(change.content);
  if (section.kind === 'block') {
    const replace = note.dialect === 'logseq' ? replaceBulletBlock : replaceBlock;
    return replace(note, section, content, remarks, change);
  }
  refuseNested(note, section, address, path);
  if (note.dialect === 'logseq') {
    if (change.subsections === null) refuseDropping(note, section, content, change);
    return replaceBullets(note, section, content, remarks, change);
  }
  const body = withoutHeading(note, section.heading!, content, remarks);
  if (change.subsections === null) refuseDropping(note, section, body, change);
  const carried = carryIds(note, section.content, body);
  const written = withLineBreaks(carried.content, lineBreakOf(note.text));
  return resultOf(note, fillHeading(note, section, written, change), [...remarks, ...carried.remarks]);
}

/** A content without the section's own heading, where it opens with that. */
function withoutHeading(note: NoteText, own: Heading, content: string, remarks: string[]): string {
  const { note: parsed, shift } = parseContent(content, note.dialect);
  const first = parsed.headings[0];
  if (first === undefined || parsed.text.slice(0, first.start).trim() !== '') return content;
  const same = foldTitle(withoutId(first.text)) === foldTitle(withoutId(own.text));
  if (!same || first.level > own.level) return content;
  if (first.level !== own.level)
    remarks.push(`The heading stays at level ${own.level}; replace changes what stands below it.`);
  return trimBlankLines(content.slice(lineEnd(parsed.text, first.end) - shift));
}

function withoutId(text: string): string {
  return text.replace(/\s\^[A-Za-z0-9-]+$/, '');
}

function refuseDropping(note: NoteText, section: Section, content: string, change: Replacement): void {
  const { start, end } = section.content;
  const inside = note.headings.filter((heading) => heading.start >= start && heading.start < end);
  if (inside.length === 0) return;
  const counts = new Map<string, number>();
  for (const { text } of parseContent(content, note.dialect).note.headings) {
    const key = foldTitle(withoutId(text));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const missing = inside.filter(({ text }) => {
    const key = foldTitle(withoutId(text));
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
  if (missing.length === 0) return;
  throw new GroveError('would_drop_subsections', {
    path: change.path,
    section: change.section,
    missing: missing.slice(0, 20).map(({ address, line }) => ({ address, line })),
  });
}
