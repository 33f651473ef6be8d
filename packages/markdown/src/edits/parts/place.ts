import type { NoteText, Range } from '../../model.ts';
import { contentEnd, contentStart, countBreaks, firstLine, nextVisible } from '../lines/blank-lines.ts';
import type { LineBreak } from '../lines/line-breaks.ts';
import { continuesList, precedesList } from './list-joint.ts';

/** A stretch of a note that text is put into, and how blocks stand in it. */
export interface Region extends Range {
  /** True when a blank line parts what stands right above from the first block. */
  readonly apart: boolean;
  /** True when another block may stand right above, from which content at the start has to be parted. */
  readonly inside?: boolean;
  /** True where blocks follow each other without a blank line: the bullets of Logseq. */
  readonly tight: boolean;
}

/** A text with a content put into it: where it stands now, or that it stood there already. */
export interface Placement {
  readonly text: string;
  readonly placed: Range;
  readonly alreadyThere: boolean;
}

/** Where content goes: its note, the region of it, the note's line break. */
export interface Site {
  readonly note: NoteText;
  readonly region: Region;
  readonly lineBreak: LineBreak;
}

/** Puts content (trimmed, its line breaks those of the note) after what a region holds. */
export function placeAtEnd(site: Site, content: string, repeat: boolean): Placement {
  const { note, region, lineBreak } = site;
  const { text } = note;
  const end = contentEnd(text, region.start, region.end);
  if (end === region.start) return placeInEmpty(site, content);
  const there = end - content.length;
  if (!repeat && there >= region.start && isLineStart(text, there, region) && text.endsWith(content, end))
    return { text, placed: { start: there, end }, alreadyThere: true };
  const inList = region.tight || continuesList(note, end, content);
  const joint = inList ? lineBreak : lineBreak + lineBreak;
  return splice(text, end, joint, content, gapAfter(site, end, inList));
}

/** Puts content before what a region holds, after the blank lines that it may start with. */
export function placeAtStart(site: Site, content: string, repeat: boolean): Placement {
  const { note, region, lineBreak } = site;
  const { text } = note;
  const start = contentStart(text, region.start, region.end);
  if (start === region.end) return placeInEmpty(site, content);
  const end = start + content.length;
  if (!repeat && text.startsWith(content, start) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, region.end)))
    return { text, placed: { start, end }, alreadyThere: true };
  const inList = region.tight || precedesList(note, start, content);
  const above = contentEnd(text, note.bodyStart, start);
  const isClose = above > note.bodyStart && countBreaks(text, above, start) === 1;
  const close = region.inside === true && !inList && isClose;
  return splice(text, start, close ? lineBreak : '', content, inList ? lineBreak : lineBreak + lineBreak);
}

/** Content that is the only one of its region, with a blank line above and below where something stands there. */
function placeInEmpty({ note, region, lineBreak }: Site, content: string): Placement {
  const { text } = note;
  const before = text.slice(0, region.start);
  const open = before !== '' && before !== '\ufeff' && !before.endsWith('\n') ? lineBreak : '';
  const [line, rest] = firstLine(text.slice(region.start, region.end));
  const lead = line !== '' ? line : region.apart ? lineBreak : '';
  const at = region.start + line.length;
  const next = nextVisible(text, at);
  const apart = region.tight ? 1 : 2;
  let trail = '';
  if (next >= 0) trail = lineBreak.repeat(Math.max(0, apart - countBreaks(text, at, next)));
  else if (rest === '' && open === '') trail = lineBreak;
  return splice(text, at, open + (line === '' ? lead : ''), content, trail);
}

/** What must come after content that is put at `end` so that the next block stands apart from it. */
function gapAfter({ note: { text }, region, lineBreak }: Site, end: number, inList: boolean): string {
  const next = nextVisible(text, end);
  if (next < region.end) return '';
  const breaks = countBreaks(text, end, next);
  if (breaks >= 2 || region.tight) return '';
  return inList && breaks === 1 ? '' : lineBreak;
}

function isLineStart(text: string, at: number, region: Range): boolean {
  return at === region.start || text[at - 1] === '\n';
}

function splice(text: string, at: number, before: string, content: string, after: string): Placement {
  const start = at + before.length;
  return {
    text: text.slice(0, at) + before + content + after + text.slice(at),
    placed: { start, end: start + content.length },
    alreadyThere: false,
  };
}
