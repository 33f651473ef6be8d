import { lineAt, type NoteText, type Range } from '@grove/markdown';
import type { NoteRow } from '../note-row.ts';
import type { Mention } from './find-mentions.ts';
import { type LinkGround, linkTo } from './link-to.ts';

/** A link that a note could have, where the name of the other stands now. */
export interface PossibleLink extends Range {
  readonly to: NoteRow;
  /** What to put in the place of `text`. */
  readonly link: string;
  readonly text: string;
  readonly line: number;
}

/** Where a note mentions others, and what is to be kept to. */
export interface MentionedIn {
  readonly view: LinkGround;
  readonly row: NoteRow;
  readonly note: NoteText;
  readonly mentions: readonly Mention[];
}

// Wikilinks, Markdown links and images with what they lead to, addresses, macros and fields; links out of the vault are no links of a note.
const NO_PROSE =
  /!?\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^[\]\n]*\]|:.*)|<[^<>\n]*>|\b[a-z][a-z+.-]{0,20}:\/\/\S+|[\w.+-]{1,64}@[\w-]{1,255}\.\S+|\{\{[^{}\n]*\}\}|\b[\w-]{1,60}::.*/gi;
/** Where Logseq has a query or code. */
const BLOCK_EDGE = /#\+(BEGIN|END)_(?:QUERY|SRC|EXPORT|EXAMPLE|COMMENT)\b/gi;
/** How far from a name on its line is looked for what it may be a part of, in UTF-16 units. */
const AROUND = 2_000;
/** Most places that are looked at. */
const MOST_PLACES = 300;

/**
 * The links that a note could have to the notes that it mentions and does not link yet, longest and rarest names first,
 * one for each note, where it is first named. Names in code, links, addresses, tags, headings and properties are left
 * out, and those that several notes have. Each costs its work when it is asked for.
 */
export function* possibleLinks({ view, row, note, mentions }: MentionedIn): Generator<PossibleLink> {
  const linked = new Set(note.links.map((link) => view.resolveLink(link, row)?.id));
  linked.add(row.id);
  const blocks = view.dialect === 'logseq' ? blocksIn(note.text) : [];
  const taken = unionOf([...note.links, ...note.literals, ...note.headings, ...note.tags, ...blocks]);
  const ofNote = new Map<number, Mention[]>();
  for (const mention of mentions) {
    const [to, ...others] = mention.notes;
    if (to === undefined || others.length > 0 || linked.has(to.id) || mention.start < note.bodyStart)
      continue;
    if (covers(taken, mention)) continue;
    ofNote.set(to.id, [...(ofNote.get(to.id) ?? []), mention]);
  }
  const ranked = [...ofNote.values()].sort(
    (a, b) => longest(b) - longest(a) || a.length - b.length || (a[0]?.start ?? 0) - (b[0]?.start ?? 0),
  );
  let places = 0;
  for (const found of ranked) {
    const left = found.slice(0, Math.max(0, MOST_PLACES - places));
    const mention = left.find((place) => isProse(place, note));
    places += left.length;
    const to = mention?.notes[0];
    if (mention === undefined || to === undefined) continue;
    const { text, start, end } = mention;
    const written = linkTo(view, { from: row, to, text });
    if (written === null) continue;
    // A bar would end the cell of a table.
    const link = isInTable(mention, note) ? written.replaceAll('|', '\\|') : written;
    yield { to, link, text, line: lineAt(note.lineStarts, start), start, end };
  }
}

/** Blocks of Logseq that hold no prose; one that does not end is none. */
function blocksIn(text: string): Range[] {
  const blocks: Range[] = [];
  let start: number | null = null;
  for (const { 0: edge, 1: which, index } of text.matchAll(BLOCK_EDGE)) {
    if (which?.toUpperCase() === 'BEGIN') start ??= index;
    else if (start !== null) {
      blocks.push({ start, end: index + edge.length });
      start = null;
    }
  }
  return blocks;
}

function longest(mentions: readonly Mention[]): number {
  return Math.max(...mentions.map(({ text }) => text.length));
}

function isProse(mention: Range, note: NoteText): boolean {
  const line = lineOf(mention, note);
  const start = Math.max(line.start, mention.start - AROUND);
  const text = note.text.slice(start, Math.min(line.end, mention.end + AROUND));
  for (const { 0: found, index } of text.matchAll(NO_PROSE))
    if (start + index < mention.end && mention.start < start + index + found.length) return false;
  return true;
}

function isInTable(mention: Range, note: NoteText): boolean {
  const { start, end } = lineOf(mention, note);
  return note.text
    .slice(start, Math.min(end, start + AROUND))
    .trimStart()
    .startsWith('|');
}

function lineOf({ start: at }: Range, { text, lineStarts }: NoteText): Range {
  const line = lineAt(lineStarts, at);
  return { start: lineStarts[line - 1] ?? 0, end: lineStarts[line] ?? text.length };
}

/** The ranges, sorted, with those that touch put together. */
function unionOf(ranges: readonly Range[]): { start: number; end: number }[] {
  const union: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = union.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else union.push({ start, end });
  }
  return union;
}

function covers(union: readonly Range[], { start, end }: Range): boolean {
  let low = 0;
  let high = union.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((union[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return (union[low]?.start ?? Number.POSITIVE_INFINITY) < end;
}
