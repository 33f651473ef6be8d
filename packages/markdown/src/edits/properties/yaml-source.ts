import {
  type CST,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { lineContentEnd, lineEnd } from '../../lines.ts';
import type { Range } from '../../model.ts';
import type { Splice } from '../lines/splices.ts';

/** One key of the frontmatter with the places of its parts. Offsets are into the YAML. */
export interface Entry {
  readonly key: string;
  readonly node: Node | null;
  /** Whole lines, from the key's to the last one that belongs to its value; in a flow mapping the pair alone. */
  readonly lines: Range;
  /** After the colon; null where there is none. */
  readonly colon: number | null;
  /** The value with its anchor and tag, without a comment behind it. Empty after the colon where it is null. */
  readonly value: Range;
  /** The comment that follows on the line of the key or of the value, with the space before it, or ''. */
  readonly comment: string;
}

/** Frontmatter's YAML, as places that can be changed one by one. */
export interface YamlSource {
  readonly text: string;
  /** What the top of it is: lines `key: value`, `{key: value}`, or nothing but comments. */
  readonly form: 'block' | 'flow' | 'empty';
  readonly entries: readonly Entry[];
  /** The indentation of the keys. */
  readonly indent: string;
  /** Range of a flow mapping. */
  readonly flow: Range | null;
}

/** Reads YAML that {@link readYaml} has found to be a mapping; null where its top is no mapping after all. */
export function readYamlSource(text: string): YamlSource | null {
  const document = parseDocument(text, {
    schema: 'core',
    version: '1.2',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    keepSourceTokens: true,
  });
  const root = document.contents;
  if (root === null) return { text, form: 'empty', entries: [], indent: '', flow: null };
  if (!isMap(root)) return null;
  const [start = 0, end = 0] = root.range ?? [];
  const pairs = (root as YAMLMap<Node, Node | null>).items;
  if (root.flow === true) {
    const entries = pairs.map((pair) => readEntry(text, pair, false)).filter((entry) => entry !== null);
    return entries.length === pairs.length
      ? { text, form: 'flow', entries, indent: '', flow: { start, end } }
      : null;
  }
  const found = pairs.map((pair) => readEntry(text, pair, true)).filter((entry) => entry !== null);
  if (found.length !== pairs.length || found.length === 0) return null;
  const indent = text.slice(found[0]!.lines.start).match(/^ */)![0];
  const entries = found.map((entry, index) => ({
    ...entry,
    lines: { start: entry.lines.start, end: lastLine(text, entry, found[index + 1], indent) },
  }));
  return { text, form: 'block', entries, indent, flow: null };
}

/** The scalars of a list, or the node itself. */
export function listItems(node: Node | null): readonly (Node | null)[] {
  return isSeq(node) ? (node as YAMLSeq<Node | null>).items : [node];
}

/** What takes an entry out of a flow sequence or mapping, with one comma. */
export function flowCut(items: readonly Range[], index: number): Splice {
  const { start, end } = items[index]!;
  const next = items[index + 1];
  const before = items[index - 1];
  if (next !== undefined) return { start, end: next.start, text: '' };
  return before === undefined ? { start, end, text: '' } : { start: before.end, end, text: '' };
}

/** A node's place without anchor and tag. */
export function rangeOf(node: Node | null): Range {
  const [start = 0, end = 0] = node?.range ?? [];
  return { start, end };
}

/** True for a value that stands in lines of its own below its key, or in a block scalar. */
export function isBlock(node: Node | null): boolean {
  if (isCollection(node)) return node.flow !== true;
  return isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
}

function readEntry(text: string, pair: Pair<Node, Node | null>, block: boolean): Entry | null {
  const token = (pair as { srcToken?: CST.CollectionItem }).srcToken;
  if (token === undefined) return null;
  const { start: before, key, sep = [] } = token;
  const first = before.find(({ type }) => type === 'explicit-key-ind' || type === 'anchor' || type === 'tag');
  const keyStart = first?.offset ?? key?.offset ?? sep[0]?.offset;
  if (keyStart === undefined) return null;
  const colonAt = sep.findIndex(({ type }) => type === 'map-value-ind');
  const colon = colonAt < 0 ? null : sep[colonAt]!.offset + 1;
  const node = pair.value;
  const keyEnd = pair.key?.range?.[1] ?? keyStart;
  const after = colonAt < 0 ? [] : sep.slice(colonAt + 1);
  const props = after.find(({ type }) => type === 'anchor' || type === 'tag');
  const [nodeStart = 0, nodeEnd = 0] = node?.range ?? [];
  const none = node === null || (nodeStart === nodeEnd && !isAlias(node));
  const valueStart = props?.offset ?? (none ? (colon ?? keyEnd) : nodeStart);
  const valueEnd = none ? endOfProps(after, valueStart, props !== undefined) : nodeEnd;
  const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
  if (block && /[^ ]/.test(text.slice(lineStart, keyStart))) return null;
  const header = after.find(
    ({ type, offset }) => type === 'comment' && offset <= lineContentEnd(text, keyStart),
  );
  const tailStart = header?.offset ?? valueEnd;
  const tail = isBlock(node) && header === undefined ? '' : commentAt(text, tailStart, valueEnd);
  return {
    key: keyText(pair.key, text),
    node: none ? null : node,
    lines: { start: block ? lineStart : keyStart, end: Math.max(keyEnd, valueEnd, colon ?? 0) },
    colon,
    value: { start: valueStart, end: valueEnd },
    comment: tail,
  };
}

function endOfProps(after: readonly CST.SourceToken[], start: number, has: boolean): number {
  if (!has) return start;
  let end = start;
  for (const { type, offset, source } of after)
    if (type === 'anchor' || type === 'tag') end = offset + source.length;
  return end;
}

function commentAt(text: string, from: number, end: number): string {
  if (text[from] === '#') return ` ${text.slice(from, lineContentEnd(text, from))}`;
  const rest = text.slice(end, lineContentEnd(text, end));
  return /^[ \t]+#/.test(rest) ? rest : '';
}

/** The end of the last line of an entry: comments and blank lines above the next key are not part of it. */
function lastLine(text: string, entry: Entry, next: Entry | undefined, indent: string): number {
  const limit = next?.lines.start ?? text.length;
  let end = entry.lines.start;
  const others = new RegExp(`^ {0,${indent.length}}#|^[ \\t\\r\\n]*$`);
  const from = lineEnd(text, Math.max(entry.lines.start, lastOffset(text, entry)));
  end = Math.min(limit, from);
  for (let at = end; at < limit; at = lineEnd(text, at))
    if (!others.test(text.slice(at, lineEnd(text, at)))) end = Math.min(limit, lineEnd(text, at));
  return end;
}

/** The last character of a value that is no white space. */
function lastOffset(text: string, { lines }: Entry): number {
  let at = lines.end - 1;
  while (at > lines.start && /[\s]/.test(text[at]!)) at -= 1;
  return at;
}

function keyText(key: Node | null, text: string): string {
  if (isScalar(key)) return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  const [start, end] = key?.range ?? [0, 0];
  return text.slice(start, end);
}
