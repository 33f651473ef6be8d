import { contentHash, GroveError } from '@grove/core';
import { readProperty } from '../dialects/logseq-properties.ts';
import { lineAt, lineEnd } from '../lines.ts';
import type { Heading, NoteText, Range } from '../model.ts';
import { bulletText, matchBullets } from './bullets.ts';
import { matchHeadings, takeOrdinal } from './match.ts';
import { nearestHeadings } from './nearest.ts';

/** A part of a note that an address names. */
export interface Section {
  readonly kind: 'heading' | 'block' | 'bullet';
  /** All of it: from the heading's mark, the block's or the bullet's start. */
  readonly range: Range;
  /** What a replacement exchanges: without the heading's line or the bullet's own text; all of a block. */
  readonly content: Range;
  /** 1-based line of the file on which it starts. */
  readonly line: number;
  readonly heading?: Heading;
}

/** How a section is looked for. */
export interface SectionOptions {
  /** The note's path, named in errors. */
  readonly path?: string;
  /** False ends a heading's section at its first subheading. Default true. */
  readonly subsections?: boolean;
}

/** One of the sections that an ambiguous address fits: `data.candidates` of `section_ambiguous`. */
export interface SectionCandidate {
  readonly address: string;
  readonly line: number;
  readonly path: readonly string[];
}

/**
 * Finds the section that an address names, for reads and writes alike: a heading (`Goals`, `## Goals`), a
 * path of headings (`Plan#Goals`), the n-th of several (`Goals@2`), a block (`^id`, `#^id`), in Logseq also
 * a bullet by its text. A heading's section runs to the next heading of the same or a higher level.
 *
 * Throws `section_not_found` with `data.nearest`, the addresses of at most five headings, and
 * `section_ambiguous` with `data.candidates` ({@link SectionCandidate}), never taking the first of several.
 *
 * @example findSection(note, 'Goals').content
 */
export function findSection(note: NoteText, address: string, options: SectionOptions = {}): Section {
  const wanted = address.trim();
  const block = /(?:^|#)\s*\^([A-Za-z0-9-]+(?:@\d+)?)$/.exec(wanted);
  if (block !== null) {
    const found = findBlock(note, block[1]!, wanted, options);
    if (found !== null) return found;
  }
  const headings = wanted === '' ? [] : matchHeadings(note.headings, wanted);
  if (headings.length === 1) return headingSection(note, headings[0]!, options);
  if (headings.length > 1)
    throw ambiguous(
      wanted,
      options,
      headings.map(({ address, line, path }) => ({ address, line, path })),
    );
  if (note.dialect === 'logseq' && wanted !== '') {
    const found = findBullet(note, wanted, options);
    if (found !== null) return found;
  }
  throw new GroveError('section_not_found', {
    path: options.path ?? '',
    section: address,
    nearest:
      block === null
        ? nearestHeadings(note.headings, wanted)
        : note.blocks.slice(0, 5).map(({ id }) => `^${id}`),
  });
}

/** The hash of a section's bytes, to send back as its `if_hash`. */
export function sectionHash(note: NoteText, section: Pick<Section, 'range'>): string {
  return contentHash(note.text.slice(section.range.start, section.range.end));
}

function headingSection(note: NoteText, heading: Heading, { subsections = true }: SectionOptions): Section {
  let end = heading.sectionEnd;
  if (!subsections) {
    const next = note.headings[note.headings.indexOf(heading) + 1];
    if (next !== undefined) end = Math.min(end, next.start);
  }
  let contentStart = Math.min(lineEnd(note.text, heading.end), end);
  // The properties of a Logseq block follow its first line and stay with it.
  while (
    note.dialect === 'logseq' &&
    contentStart < end &&
    readProperty(note.text, contentStart)?.bulleted === false
  )
    contentStart = Math.min(lineEnd(note.text, contentStart), end);
  return {
    kind: 'heading',
    range: { start: heading.start, end },
    content: { start: contentStart, end },
    line: heading.line,
    heading,
  };
}

function findBlock(note: NoteText, id: string, wanted: string, options: SectionOptions): Section | null {
  const found = takeOrdinal(id, (name) => {
    const exact = note.blocks.filter((block) => block.id === name);
    return exact.length > 0
      ? exact
      : note.blocks.filter((block) => block.id.toLowerCase() === name.toLowerCase());
  });
  if (found.length > 1)
    throw ambiguous(
      wanted,
      options,
      found.map((block, index) => ({ address: `^${block.id}@${index + 1}`, line: block.line, path: [] })),
    );
  const block = found[0]?.block;
  if (block === undefined) return null;
  return { kind: 'block', range: block, content: block, line: lineAt(note.lineStarts, block.start) };
}

function findBullet(note: NoteText, wanted: string, options: SectionOptions): Section | null {
  const found = matchBullets(note, wanted);
  if (found.length > 1)
    throw ambiguous(
      wanted,
      options,
      found.map((item, index) => ({
        address: `${bulletText(note.text, item)}@${index + 1}`,
        line: item.line,
        path: [],
      })),
    );
  const item = found[0];
  if (item === undefined) return null;
  const contentStart = Math.min(lineEnd(note.text, item.end), item.treeEnd);
  return {
    kind: 'bullet',
    range: { start: item.start, end: item.treeEnd },
    content: { start: contentStart, end: item.treeEnd },
    line: item.line,
  };
}

function ambiguous(
  section: string,
  { path = '' }: SectionOptions,
  candidates: readonly SectionCandidate[],
): GroveError {
  return new GroveError('section_ambiguous', { path, section, candidates });
}
