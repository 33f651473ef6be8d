import { isGroveError } from '@grove/core';
import type { NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import { findSection } from '../../sections/find.ts';
import { badInput } from '../incoming.ts';
import { lineBreakOf, withLineBreaks } from '../lines/line-breaks.ts';
import { asBullets, indentUnit } from '../logseq/bullets.ts';

/**
 * A section that a note lacks, to be put at its end: a heading of level 2 and the content. Throws `bad_input`
 * for an address that no such heading would answer to (a block, an ordinal), and `section_not_found` for a
 * path of headings.
 */
export function newSection(note: NoteText, address: string, content: string, path: string): string {
  const name = address.trim().replace(/^#{1,6}[ \t]+/, '');
  if (/[\r\n]/.test(name)) throw badInput('section', 'a heading has one line');
  // A path or an ordinal of headings names a place that only its note can have.
  if (/[^\s#]#[^\s#]/.test(name) || /@\d+$/.test(name) || name.includes('^'))
    findSection(note, address, { path });
  const written = note.dialect === 'logseq' ? bulletSection(note, name, content) : `## ${name}\n\n${content}`;
  const parsed = parseNote(`\n${written}\n`, { dialect: note.dialect, path });
  try {
    findSection(parsed, address, { path });
  } catch (cause) {
    if (isGroveError(cause)) throw badInput('section', `no heading can be called "${name.slice(0, 200)}"`);
    throw cause;
  }
  return withLineBreaks(written, lineBreakOf(note.text));
}

function bulletSection(note: NoteText, name: string, content: string): string {
  const unit = indentUnit(note);
  return `- ## ${name}\n${asBullets(content, unit, unit)}`;
}
