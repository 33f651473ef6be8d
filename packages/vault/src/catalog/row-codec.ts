import type { VaultPath } from '@grove/core';
import {
  type BlockId,
  type Frontmatter,
  type Heading,
  type Link,
  type LinkKind,
  taskState,
} from '@grove/markdown';
import type { NoteDetails, NoteTask } from '../note-row.ts';
import type { CatalogRow } from './catalog-row.ts';

/** Of everything this module writes and of how notes are read: another version builds the catalog anew. */
export const CODEC_VERSION = 10;

const STATUSES: readonly Frontmatter['status'][] = ['none', 'ok', 'broken', 'unclosed'];
const KINDS: readonly LinkKind[] = [
  'wikilink',
  'embed',
  'markdown',
  'image',
  'frontmatter',
  'definition',
  'block-ref',
];
const NONE: readonly string[] = [];

/** A row as compact JSON: an array, `0` where a text equals the one before it. */
export function encodeRow(row: CatalogRow): string {
  return JSON.stringify([
    row.diskPath === row.path ? 0 : row.diskPath,
    row.name,
    row.title === row.name ? 0 : row.title,
    row.type,
    row.tags.length === 0 ? 0 : row.tags,
    row.aliases.length === 0 ? 0 : row.aliases,
    STATUSES.indexOf(row.frontmatterStatus),
    (row.private ? 1 : 0) + (row.conflictCopy ? 2 : 0) + (row.hasTasks ? 4 : 0),
    row.size,
    row.words,
    row.contentHash,
    row.blob,
    row.stat.dev,
    row.stat.ino,
    row.stat.mtimeNs,
    row.stat.ctimeNs,
    row.claimed.created,
    row.claimed.modified,
    row.file.created,
    row.file.modified,
    row.readAt,
    row.blockIds.length === 0 ? 0 : row.blockIds,
    row.otherTypes.length + row.otherTags.length === 0 ? 0 : [row.otherTypes, row.otherTags],
  ]);
}

/** The row that {@link encodeRow} wrote. Equal device texts share one string by `devices`. */
export function decodeRow(
  id: number,
  path: string,
  sequence: number,
  json: string,
  devices: Map<string, string>,
): CatalogRow {
  const cells = JSON.parse(json);
  const flags = cells[7];
  const dev = devices.get(cells[12]) ?? cells[12];
  if (!devices.has(dev)) devices.set(dev, dev);
  return {
    id,
    path: path as VaultPath,
    diskPath: cells[0] === 0 ? path : cells[0],
    name: cells[1],
    title: cells[2] === 0 ? cells[1] : cells[2],
    type: cells[3],
    tags: cells[4] === 0 ? NONE : cells[4],
    aliases: cells[5] === 0 ? NONE : cells[5],
    frontmatterStatus: STATUSES[cells[6]] ?? 'none',
    private: (flags & 1) !== 0,
    conflictCopy: (flags & 2) !== 0,
    hasTasks: (flags & 4) !== 0,
    size: cells[8],
    words: cells[9],
    contentHash: cells[10],
    blob: cells[11],
    stat: { dev, ino: cells[13], size: cells[8], mtimeNs: cells[14], ctimeNs: cells[15] },
    sequence,
    claimed: { created: cells[16], modified: cells[17] },
    file: { created: cells[18], modified: cells[19] },
    readAt: cells[20],
    blockIds: cells[21] === 0 ? NONE : cells[21],
    otherTypes: cells[22] === 0 ? NONE : cells[22][0],
    otherTags: cells[22] === 0 ? NONE : cells[22][1],
  };
}

/** Properties as JSON; empty for none. */
export function encodeProperties(properties: NoteDetails['properties']): string {
  return Object.keys(properties).length === 0 ? '' : JSON.stringify(properties);
}

/** The properties that {@link encodeProperties} wrote. */
export function decodeProperties(json: string): NoteDetails['properties'] {
  return json === '' ? {} : JSON.parse(json);
}

/** Details without the properties as compact JSON. */
export function encodeDetails(details: NoteDetails): string {
  return JSON.stringify([
    details.frontmatterError,
    details.headings.map((h) => [h.start, h.end, h.line, h.level, h.text, h.path, h.sectionEnd, h.address]),
    details.blocks.map((b) => [b.start, b.end, b.line, b.id, b.block.start, b.block.end]),
    details.links.map((l) => [
      l.start,
      l.end,
      l.line,
      KINDS.indexOf(l.kind),
      l.target,
      l.heading,
      l.block,
      l.label,
      l.property,
    ]),
    details.tasks.map((t) => [t.line, t.mark, t.text, t.due, t.scheduled]),
  ]);
}

/** The details that {@link encodeDetails} wrote, with these properties. */
export function decodeDetails(json: string, properties: NoteDetails['properties']): NoteDetails {
  const [frontmatterError, headings, blocks, links, tasks] = JSON.parse(json);
  return {
    properties,
    frontmatterError,
    headings: headings.map(
      ([start, end, line, level, text, path, sectionEnd, address]: [
        number,
        number,
        number,
        Heading['level'],
        string,
        string[],
        number,
        string,
      ]): Heading => ({ start, end, line, level, text, path, sectionEnd, address }),
    ),
    blocks: blocks.map(
      ([start, end, line, id, from, to]: [number, number, number, string, number, number]): BlockId => ({
        start,
        end,
        line,
        id,
        block: { start: from, end: to },
      }),
    ),
    links: links.map(
      ([start, end, line, kind, target, heading, block, label, property]: [
        number,
        number,
        number,
        number,
        string,
        string | null,
        string | null,
        string | null,
        string | null,
      ]): Link => ({
        start,
        end,
        line,
        kind: KINDS[kind] ?? 'wikilink',
        target,
        heading,
        block,
        label,
        property,
      }),
    ),
    tasks: tasks.map(
      ([line, mark, text, due, scheduled]: [
        number,
        string,
        string,
        string | null,
        string | null,
      ]): NoteTask => ({ line, mark, state: taskState(mark), text, due, scheduled }),
    ),
  };
}

/** Where a note points, without positions: what the link graph is made from. */
export interface Edge {
  readonly kind: LinkKind;
  readonly target: string;
  /** Only for kind `block-ref`. */
  readonly block: string | null;
}

/** Distinct edges of a note: kind, target, kind, target ... (for a block reference its id). */
export type FlatEdges = readonly (number | string)[];

const NO_EDGES: FlatEdges = [];

/** The edges that links make; a link to the note itself makes none. */
export function flatEdges(links: readonly Link[]): FlatEdges {
  const flat: (number | string)[] = [];
  const seen = new Set<string>();
  for (const link of links) {
    const target = link.kind === 'block-ref' ? (link.block ?? link.target) : link.target;
    const kind = KINDS.indexOf(link.kind);
    if (target === '' || seen.has(`${kind}${target}`)) continue;
    seen.add(`${kind}${target}`);
    flat.push(kind, target);
  }
  return flat;
}

/** Edges as JSON; empty for none. */
export function encodeEdges(edges: FlatEdges): string {
  return edges.length === 0 ? '' : JSON.stringify(edges);
}

/** The edges that {@link encodeEdges} wrote. */
export function decodeEdges(json: string): FlatEdges {
  return json === '' ? NO_EDGES : JSON.parse(json);
}

/** The kind of an edge from its first cell in {@link FlatEdges}. */
export function edgeKind(cell: number | string | undefined): LinkKind {
  return KINDS[Number(cell)] ?? 'wikilink';
}
