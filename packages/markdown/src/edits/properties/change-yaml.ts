import { isDeepStrictEqual } from 'node:util';
import { GroveError } from '@grove/core';
import { isCollection, isScalar, isSeq, type Node, Scalar } from 'yaml';
import { readYaml } from '../../frontmatter/yaml.ts';
import { lineContentEnd } from '../../lines.ts';
import { type LineBreak, withLineBreaks } from '../lines/line-breaks.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import { type Entry, flowCut, isBlock, readYamlSource, type YamlSource } from './yaml-source.ts';
import { type YamlStyle, yamlKey, yamlValue } from './yaml-text.ts';

/** Properties to set and to take away. */
export interface PropertyChange {
  /** By key; JSON values. */
  readonly set: ReadonlyMap<string, unknown>;
  readonly unset: ReadonlySet<string>;
}

/**
 * Changes the keys that are named in a frontmatter's YAML, which must be readable, and no other byte of it.
 * A key that has the wanted value already keeps its bytes; a new one is added at the end. Throws
 * `frontmatter_entangled` where a key cannot be changed alone, as when another one repeats its value by an
 * alias, and `bad_input` for a value or key that YAML has no form for.
 *
 * @example changeYaml('a: 1 # one\nb: 2\n', { set: new Map([['a', 3]]), unset: new Set(['b']) }, '\n', 'x.md') // 'a: 3 # one\n'
 */
export function changeYaml(yaml: string, change: PropertyChange, lineBreak: LineBreak, path: string): string {
  const { data } = readYaml(yaml);
  const set = [...change.set].filter(
    ([key, value]) => !(Object.hasOwn(data, key) && isDeepStrictEqual(data[key], value)),
  );
  const unset = [...change.unset].filter((key) => Object.hasOwn(data, key));
  if (set.length === 0 && unset.length === 0) return yaml;
  const keys = [...set.map(([key]) => key), ...unset];
  const source = readYamlSource(yaml);
  if (source === null) throw entangled(keys[0]!, path, 'the YAML has an unusual form');
  const next = applySplices(yaml, splicesFor(source, set, unset, lineBreak, path));
  const expected = new Map(Object.entries(data));
  for (const [key, value] of set) expected.set(key, value);
  for (const key of unset) expected.delete(key);
  const after = readYaml(next);
  if (after.error === null && isDeepStrictEqual(new Map(Object.entries(after.data)), expected)) return next;
  throw entangled(keys[0]!, path, after.error?.message ?? 'other properties depend on it');
}

function splicesFor(
  source: YamlSource,
  set: readonly (readonly [string, unknown])[],
  unset: readonly string[],
  lineBreak: LineBreak,
  path: string,
): Splice[] {
  const splices: Splice[] = [];
  const added: (readonly [string, unknown])[] = [];
  for (const [key, value] of set) {
    const entry = source.entries.find((found) => found.key === key);
    if (entry === undefined) added.push([key, value]);
    else if (entry.colon === null) throw entangled(key, path, 'it has no colon');
    else splices.push(valueSplice(source, entry, value, lineBreak));
  }
  splices.push(...removals(source, unset));
  if (added.length > 0) splices.push(addition(source, added, unset, lineBreak));
  return splices;
}

/** What gives an entry another value. */
function valueSplice(source: YamlSource, entry: Entry, value: unknown, lineBreak: LineBreak): Splice {
  const { text } = source;
  const style = styleOf(source, entry);
  const colon = entry.colon!;
  const { start, end } = entry.value;
  // The comment stays behind what stands on the key's line.
  const oneLine = style.oneLine === true || (entry.comment !== '' && !isRecord(value));
  const indented = (lines: string) => withLineBreaks(lines.replaceAll('\n', `\n${source.indent}`), lineBreak);
  const piece = yamlValue(entry.key, value, { ...style, oneLine });
  if (isBlock(entry.node)) {
    const last = entry.lines.end;
    const tail = text.slice(0, last).endsWith('\n') ? lineBreak : '';
    return { start: colon, end: last, text: withComment(indented(piece), entry.comment) + tail };
  }
  if (piece === '') return { start: colon, end, text: '' };
  if (!piece.includes('\n')) {
    if (entry.node === null && start === colon) return { start, end, text: piece };
    return { start, end, text: piece.slice(1) };
  }
  const lineStop = entry.comment === '' ? end : lineContentEnd(text, end);
  return { start: colon, end: Math.max(lineStop, end), text: withComment(indented(piece), entry.comment) };
}

/** A value with the comment at the end of its first line. */
function withComment(piece: string, comment: string): string {
  if (comment === '') return piece;
  const first = lineContentEnd(piece, 0);
  return piece.slice(0, first) + comment + piece.slice(first);
}

function styleOf(source: YamlSource, { node, lines }: Entry): YamlStyle {
  if (source.form === 'flow') return { flow: true };
  if (isScalar(node)) return { scalar: node.type === Scalar.PLAIN ? undefined : node.type };
  if (!isCollection(node)) return {};
  const indentSeq = !(
    isSeq(node) &&
    node.flow !== true &&
    columnOf(source.text, node) === columnOf(source.text, lines.start, source.indent.length)
  );
  return node.flow === true && !isEmpty(node) ? { oneLine: true } : { indentSeq };
}

function isEmpty(node: Node): boolean {
  return isCollection(node) && node.items.length === 0;
}

function columnOf(text: string, at: Node | number, more = 0): number {
  const offset = typeof at === 'number' ? at : (at.range?.[0] ?? 0);
  return offset - (text.lastIndexOf('\n', offset - 1) + 1) + more;
}

function removals(source: YamlSource, unset: readonly string[]): Splice[] {
  const { entries, form } = source;
  if (form !== 'flow')
    return entries.filter(({ key }) => unset.includes(key)).map(({ lines }) => ({ ...lines, text: '' }));
  const kept = entries.filter(({ key }) => !unset.includes(key));
  if (unset.length === 0) return [];
  // Runs of entries go at once, so that the cuts do not overlap.
  if (kept.length === 0)
    return [{ start: entries[0]!.lines.start, end: entries.at(-1)!.lines.end, text: '' }];
  const splices: Splice[] = [];
  for (const [index, { key, lines }] of entries.entries()) {
    if (!unset.includes(key)) continue;
    const later = entries.slice(index + 1).find((entry) => !unset.includes(entry.key));
    const cut =
      later === undefined
        ? flowCut(
            entries.map((entry) => entry.lines),
            index,
          )
        : { ...lines, end: entries[index + 1]!.lines.start, text: '' };
    splices.push(cut);
  }
  return splices;
}

function addition(
  source: YamlSource,
  added: readonly (readonly [string, unknown])[],
  unset: readonly string[],
  lineBreak: LineBreak,
): Splice {
  const { text, form, flow, entries, indent } = source;
  if (form === 'flow') {
    const pairs = added.map(([key, value]) => `${yamlKey(key)}:${yamlValue(key, value, { flow: true })}`);
    const last = entries.at(-1);
    const at = last?.lines.end ?? flow!.start + 1;
    const kept = entries.some(({ key }) => !unset.includes(key));
    return { start: at, end: at, text: (kept ? ', ' : '') + pairs.join(', ') };
  }
  const lines = added.map(([key, value]) => {
    const piece = `${yamlKey(key)}:${yamlValue(key, value)}`;
    return `${indent}${piece.replaceAll('\n', `\n${indent}`)}\n`;
  });
  const open = text === '' || text.endsWith('\n') ? '' : lineBreak;
  return { start: text.length, end: text.length, text: open + withLineBreaks(lines.join(''), lineBreak) };
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** An error for a key that other parts of the YAML depend on. */
export function entangled(key: string, path: string, reason: string): GroveError {
  return new GroveError('frontmatter_entangled', { key, path, reason });
}
