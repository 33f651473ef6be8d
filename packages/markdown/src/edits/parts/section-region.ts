import { GroveError } from '@grove/core';
import { readPageProperties } from '../../dialects/logseq-properties.ts';
import { lineEnd } from '../../lines.ts';
import type { NoteText } from '../../model.ts';
import type { Section } from '../../sections/find.ts';
import { childIndent, indentAt, indentUnit } from '../logseq/bullets.ts';
import { definitionsStart } from './foam-definitions.ts';
import type { Region } from './place.ts';

/** The body as a region: after the properties, and in Foam before the definitions that end the note. */
export function bodyRegion(note: NoteText): Region {
  const logseq = note.dialect === 'logseq';
  const start = logseq ? propertiesEnd(note) : note.bodyStart;
  return {
    start,
    end: Math.max(start, definitionsStart(note)),
    apart: start > note.bodyStart,
    tight: logseq,
  };
}

/** What a heading or a bullet holds, as a region. */
export function sectionRegion(note: NoteText, section: Section): Region {
  const { start, end } = section.content;
  const tight = note.dialect === 'logseq';
  return { start, end: Math.max(start, Math.min(end, definitionsStart(note))), apart: !tight, tight };
}

/**
 * The indentation of what a section of a Logseq graph holds: of its first bullet, else one unit more than
 * that of the section's own line.
 */
export function sectionIndent(note: NoteText, section: Section): string {
  const { start, end } = section.range;
  const own = note.listItems.find((item) => item.start <= start && start < item.end && item.treeEnd >= end);
  if (own !== undefined) return childIndent(note, own);
  const first = note.listItems.find((item) => item.start >= section.content.start && item.start < end);
  return first === undefined ? indentUnit(note) : indentAt(note.text, first.start);
}

/**
 * Refuses a section whose heading stands in a quote or in a list item, where each line would need the marks
 * of what it stands in: `section_overrun`. Logseq's bullets are no such case.
 */
export function refuseNested(note: NoteText, section: Section, address: string, path: string): void {
  const { start } = section.range;
  const before = note.text.slice(note.text.lastIndexOf('\n', start - 1) + 1, start);
  const inList = note.listItems.some((item) => item.start <= start && start < item.treeEnd);
  if (note.dialect === 'logseq' && !before.includes('>')) return;
  if (!inList && !/[^ \t]/.test(before)) return;
  const reason = `its heading stands in a ${before.includes('>') ? 'quote' : 'list item'}`;
  throw new GroveError(
    'section_overrun',
    { path, section: address, reason },
    { hint: 'Change the lines themselves with the action edit.' },
  );
}

function propertiesEnd({ text, bodyStart }: NoteText): number {
  const last = readPageProperties(text, bodyStart).at(-1);
  return last === undefined ? bodyStart : lineEnd(text, last.end);
}
