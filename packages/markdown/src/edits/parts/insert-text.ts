import { GroveError, isGroveError } from '@grove/core';
import type { NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import { findSection, type Section } from '../../sections/find.ts';
import { refuseBlock, refuseNewBlock } from '../guards/second-block.ts';
import { mayBeUnclosed, refuseUnclosed } from '../guards/unclosed.ts';
import { acceptText, badInput, contentRemarks } from '../incoming.ts';
import { contentEnd, trimBlankLines } from '../lines/blank-lines.ts';
import { lineBreakOf, withLineBreaks } from '../lines/line-breaks.ts';
import { asBullets, indentUnit } from '../logseq/bullets.ts';
import { type EditResult, resultOf } from '../result.ts';
import { blockRegion } from './block-region.ts';
import { newSection } from './new-section.ts';
import { type Placement, placeAtEnd, placeAtStart, type Region } from './place.ts';
import { bodyRegion, refuseNested, sectionIndent, sectionRegion } from './section-region.ts';
import { timedEntry } from './timed-entry.ts';

/** Text that is to be added to a note. */
export interface Insertion {
  readonly at: 'append' | 'prepend';
  /** An address for {@link findSection}; null for the whole note. */
  readonly section: string | null;
  readonly content: string;
  /** `HH:MM`, which makes the content a list item that starts with this time; null for the content as it is. */
  readonly timestamp: string | null;
  /** True to add it even where it stands already. */
  readonly repeat: boolean;
  /** True to make a section that is not there: a heading of level 2 at the end of the note. */
  readonly createSection: boolean;
  /** False to end the section at its first subheading. */
  readonly subsections: boolean;
  /** The note's path, named in errors. */
  readonly path: string;
}

/**
 * Adds text at the end or the start of a note or a section; every byte that was there stays. One blank line
 * stands between blocks, none between items of one list. The start of a note is after its frontmatter, that
 * of a section after its heading line (and the properties of a Logseq block). In a Logseq graph the text
 * becomes bullets; in Foam the link reference definitions stay last. Text that stands at the place already
 * is not added again, unless `repeat`.
 *
 * Throws `bad_input`, `section_not_found`, `section_ambiguous`, `second_frontmatter`, `unclosed_block` (the
 * note ends in a code fence, comment or HTML block that is not closed, or the content opens one and text
 * follows it) and `section_overrun` (a heading in a quote or a list item).
 *
 * @example
 * insertText(parseNote('# Log\n\n- one\n', options), { at: 'append', content: '- two', … }).text
 * // '# Log\n\n- one\n- two\n'
 */
export function insertText(note: NoteText, change: Insertion): EditResult {
  acceptText('content', change.content);
  const isEmpty = note.text.trim() === '';
  if (!isEmpty) refuseBlock(change.content);
  const content = trimBlankLines(withLineBreaks(change.content, '\n'));
  if (content === '') throw badInput('content', 'there is nothing to add');
  const entry = change.timestamp === null ? content : timedEntry(change.timestamp, content);
  const placement = place(note, change, entry);
  if (placement.alreadyThere) return resultOf(note, note.text);
  if (!isEmpty) refuseNewBlock(note.text, placement.text);
  const before = contentEnd(placement.text, 0, placement.placed.start);
  if (mayBeUnclosed(note, before, entry)) {
    const after = parseNote(placement.text, { dialect: note.dialect, path: change.path });
    refuseUnclosed(after, placement.placed, change.path);
  }
  return resultOf(note, placement.text, contentRemarks(change.content));
}

function place(note: NoteText, change: Insertion, content: string): Placement {
  if (change.section === null) return put(note, change, bodyRegion(note), '', content);
  const section = find(note, change, change.section);
  if (section === null) {
    const { repeat, path } = change;
    const made = newSection(note, change.section, content, path);
    return placeAtEnd({ note, region: bodyRegion(note), lineBreak: lineBreakOf(note.text) }, made, repeat);
  }
  if (section.kind === 'block' && note.dialect !== 'logseq')
    return put(note, change, blockRegion(note, section, change, content), '', content);
  refuseNested(note, section, change.section, change.path);
  return put(note, change, sectionRegion(note, section), sectionIndent(note, section), content);
}

function put(note: NoteText, change: Insertion, region: Region, indent: string, content: string): Placement {
  const lineBreak = lineBreakOf(note.text);
  const written = note.dialect === 'logseq' ? asBullets(content, indent, indentUnit(note)) : content;
  const site = { note, region, lineBreak };
  const add = change.at === 'append' ? placeAtEnd : placeAtStart;
  return add(site, withLineBreaks(written, lineBreak), change.repeat);
}

/** The section, or null for one that is to be made. */
function find(note: NoteText, change: Insertion, address: string): Section | null {
  try {
    return findSection(note, address, { path: change.path, subsections: change.subsections });
  } catch (error) {
    if (!isGroveError(error, 'section_not_found')) throw error;
    if (change.createSection) return null;
    if (address.includes('^')) throw error;
    const hint = 'Use one of the nearest headings, or send create_section: true to make it.';
    throw new GroveError('section_not_found', error.data, { hint, cause: error });
  }
}
