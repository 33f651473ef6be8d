import type { NoteText, Range } from '@grove/markdown';

/** Templater, which runs in notes of any vault. */
const TEMPLATER = /(?<begin><%)|%>/g;
/** Where Logseq has a query or code, and where it keeps times. */
const LOGSEQ = [
  /(?<begin>#\+BEGIN_(?:QUERY|SRC|EXPORT|EXAMPLE|COMMENT)\b)|#\+END_(?:QUERY|SRC|EXPORT|EXAMPLE|COMMENT)\b/gi,
  /(?<begin>:(?:LOGBOOK|PROPERTIES):)|:END:/gi,
];
const LOGSEQ_TIMES = /\b(?:CLOCK|SCHEDULED|DEADLINE|CLOSED):.*/g;

/** Parts of a note, over several lines, in which words are for programs. */
export function blocksWithoutProse({ text, dialect }: NoteText): Range[] {
  const blocks = between(text, TEMPLATER);
  if (dialect !== 'logseq') return blocks;
  for (const edges of LOGSEQ) blocks.push(...between(text, edges));
  for (const { 0: line, index } of text.matchAll(LOGSEQ_TIMES))
    blocks.push({ start: index, end: index + line.length });
  return blocks;
}

/** From each edge that begins a block to the next that ends one; a block that does not end is none. */
function between(text: string, edges: RegExp): Range[] {
  const blocks: Range[] = [];
  let start: number | null = null;
  for (const { 0: edge, index, groups } of text.matchAll(edges)) {
    if (groups?.begin !== undefined) start ??= index;
    else if (start !== null) {
      blocks.push({ start, end: index + edge.length });
      start = null;
    }
  }
  return blocks;
}
