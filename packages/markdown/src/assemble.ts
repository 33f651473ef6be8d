import { type OutlineEvents, type OutlineRecord, textRuns } from '@grove/native';
import { readBlockProperties } from './dialects/logseq-blocks.ts';
import { type PageReading, readLogseqPage } from './dialects/logseq-page.ts';
import {
  frontmatterAliases,
  frontmatterLinks,
  frontmatterTags,
  singleProperty,
  withoutLink,
} from './frontmatter/properties.ts';
import type { FrontmatterReading } from './frontmatter/read.ts';
import { findBlockReferences } from './inline/block-references.ts';
import { findComments } from './inline/comments.ts';
import { readDefinition, readLink } from './inline/links.ts';
import { findMathBlocks } from './inline/math-blocks.ts';
import { findTags } from './inline/tags.ts';
import { findLineStarts, lineAt } from './lines.ts';
import type { BlockId, Dialect, Heading, Link, NoteText, Range, Span, Tag } from './model.ts';
import { findBlockIds } from './outline/block-ids.ts';
import { readHeadings } from './outline/headings.ts';
import { readListItems } from './outline/list-items.ts';
import type { OffsetMap } from './outline/offset-map.ts';
import { readRecords } from './outline/records.ts';
import { readTasks } from './outline/tasks.ts';
import { isCovered, TextRuns } from './outline/text-runs.ts';
import { buildTree } from './outline/tree.ts';
import { countWords } from './words.ts';

/** A note's text and what its frontmatter says. */
export interface NoteSource {
  readonly text: string;
  readonly dialect: Dialect;
  readonly reading: FrontmatterReading;
  /** From the text that the parser was given back to the body; null where that is the body itself. */
  readonly offsets: OffsetMap | null;
}

/** Puts together what the frontmatter and the parser's outline of the body say about a note. */
export function assembleNote(
  { text, dialect, reading, offsets }: NoteSource,
  events: OutlineEvents,
): NoteText {
  const { bodyStart } = reading;
  const lineStarts = findLineStarts(text);
  const body = { text, bodyStart, lineStarts, dialect };
  const records = readRecords(events, text.slice(bodyStart), offsets);
  const parsedRuns = textRuns(events);
  const runs = new TextRuns(
    offsets === null ? parsedRuns : parsedRuns.map((run) => offsets.run(run)),
    bodyStart,
  );
  const math = findMathBlocks(text, bodyStart, runs, records);
  runs.hide(math);
  const hidden = dialect === 'obsidian' ? merged(math, findComments(text, bodyStart, runs)) : math;
  runs.hide(hidden);
  const isHidden = (offset: number) => isCovered(hidden, offset);

  const nodes = buildTree(records);
  const headings = readHeadings(nodes, isHidden, body);
  const listItems = readListItems(nodes, body);
  const tasks = readTasks(nodes, body, dialect, runs, isHidden);
  const links = frontmatterLinks(reading.values, lineStarts, text);
  const tags = frontmatterTags(reading.values, lineStarts, text);
  const bodyLinks = readBodyLinks(records, body, isHidden);
  const bodyTags: Tag[] = findTags(text, bodyStart, runs).map((tag) => ({
    ...tag,
    source: 'inline',
    line: lineAt(lineStarts, tag.start),
  }));
  let blocks: BlockId[] = findBlockIds(body, nodes, runs);
  let page: PageReading | null = null;
  if (dialect === 'logseq') {
    page = readLogseqPage(text, bodyStart, lineStarts);
    tags.push(...page.tags);
    const block = readBlockProperties(body, page.end, nodes, runs);
    blocks = sorted([...blocks, ...block.ids]);
    bodyTags.push(...block.tags, ...linkTags(bodyLinks, text, page.end));
    bodyLinks.push(...findBlockReferences(body, runs));
  }
  const title = singleProperty(reading.values, 'title') ?? page?.title ?? openingTitle(headings, body);
  const type = singleProperty(reading.values, 'type') ?? page?.type ?? null;
  return {
    text,
    dialect,
    frontmatter:
      page === null
        ? reading.frontmatter
        : { ...reading.frontmatter, data: { ...page.data, ...reading.frontmatter.data } },
    bodyStart,
    title,
    aliases: [...frontmatterAliases(reading.values), ...(page?.aliases ?? [])],
    type: type === null ? null : withoutLink(type),
    headings,
    blocks,
    links: [...links, ...sorted(bodyLinks)],
    tags: [...tags, ...distinct(sorted(bodyTags), page?.end ?? 0)],
    tasks,
    listItems,
    literals: merged(readLiterals(records, bodyStart), hidden),
    lineStarts,
    words: countWords(text, bodyStart, text.length),
  };
}

function readBodyLinks(
  records: readonly OutlineRecord[],
  body: Parameters<typeof readLink>[1],
  isHidden: (offset: number) => boolean,
): Link[] {
  const links: Link[] = [];
  // An image's text is only its description: links in it cannot be followed.
  let imageEnd = 0;
  for (const record of records) {
    if (record.kind !== 'link' && record.kind !== 'definition') continue;
    if (record.start < imageEnd || isHidden(body.bodyStart + record.start)) continue;
    if (record.kind === 'link' && record.embed) imageEnd = record.end;
    const link = record.kind === 'link' ? readLink(record, body) : readDefinition(record, body);
    if (link !== null) links.push(link);
  }
  return links;
}

/** `#[[several words]]`, which is a tag and a link at once in Logseq. */
function linkTags(links: readonly Link[], text: string, from: number): Tag[] {
  return links
    .filter((link) => link.kind === 'wikilink' && link.start > from && text[link.start - 1] === '#')
    .map(({ target, start, end, line }) => ({ name: target, source: 'inline', start: start - 1, end, line }));
}

function readLiterals(records: readonly OutlineRecord[], bodyStart: number): Range[] {
  const literals: Range[] = [];
  for (const { kind, start, end } of records)
    if (
      kind === 'codeBlock' ||
      kind === 'codeSpan' ||
      kind === 'htmlBlock' ||
      kind === 'inlineHtml' ||
      kind === 'math'
    )
      literals.push({ start: start + bodyStart, end: end + bodyStart });
  return literals;
}

/** Two sorted lists of ranges as one, without overlaps. */
function merged(some: readonly Range[], others: readonly Range[]): Range[] {
  const all = sorted([...some, ...others]);
  const apart: Range[] = [];
  for (const range of all) {
    const last = apart[apart.length - 1];
    if (last !== undefined && range.start < last.end)
      apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else apart.push(range);
  }
  return apart;
}

function openingTitle(
  headings: readonly Heading[],
  { text, bodyStart }: { readonly text: string; readonly bodyStart: number },
): string | null {
  const first = headings[0];
  if (first === undefined || first.level !== 1 || first.text === '') return null;
  return text.slice(bodyStart, first.start).trim() === '' ? first.text : null;
}

function sorted<T extends Range>(ranges: T[]): T[] {
  return ranges.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Tags from `from` on, one for each place. */
function distinct<T extends Span>(tags: readonly T[], from: number): T[] {
  return tags.filter((tag, index) => tag.start >= from && tag.start !== tags[index - 1]?.start);
}
