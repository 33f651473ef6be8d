import { isDeepStrictEqual } from 'node:util';
import { foldCase } from '@grove/core';
import { type CST, isAlias, isMap, isScalar, isSeq, type Node, type YAMLSeq } from 'yaml';
import { asUnquotedLink } from '../../frontmatter/unquoted-link.ts';
import { readYaml } from '../../frontmatter/yaml.ts';
import { lineContentEnd, lineEnd } from '../../lines.ts';
import type { LineBreak } from '../lines/line-breaks.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import { changeYaml, entangled } from '../properties/change-yaml.ts';
import { type Entry, flowCut, rangeOf, readYamlSource } from '../properties/yaml-source.ts';
import { yamlValue } from '../properties/yaml-text.ts';

const KEY = /^tags?$/i;

/** What names the note in errors, and its line break. */
interface Context {
  readonly lineBreak: LineBreak;
  readonly path: string;
}

/** Adds a tag to the tags of a frontmatter's YAML, in the form that they have; other entries keep their bytes. */
export function addYamlTag(yaml: string, tag: string, context: Context): string {
  const { data } = readYaml(yaml);
  const entries = tagEntries(yaml);
  const entry = entries.find(({ key }) => key.toLowerCase() === 'tags') ?? entries[0];
  if (entry === undefined) return addToMerged(yaml, data, tag, context);
  const old = data[entry.key];
  const { node } = entry;
  if (node === null || old === null) return set(yaml, entry.key, [tag], context);
  if (isAlias(node) || isMap(node)) throw entangled(entry.key, context.path, 'it is no list of tags');
  const list = listOf(node, yaml);
  if (list === null) return set(yaml, entry.key, withTag(old, tag), context);
  const next = [...(old as unknown[]), tag];
  const spliced = applySplices(yaml, [
    list.flow === true ? flowItem(list, tag) : blockItem(yaml, list, tag, context),
  ]);
  return holds(spliced, data, entry.key, next) ? spliced : set(yaml, entry.key, next, context);
}

/** Tags that a merge key brings stay: the note's own list takes the place of theirs. */
function addToMerged(
  yaml: string,
  data: Readonly<Record<string, unknown>>,
  tag: string,
  context: Context,
): string {
  const key = Object.keys(data).find((name) => KEY.test(name)) ?? 'tags';
  const old = data[key] ?? [];
  return set(yaml, key, Array.isArray(old) ? [...old, tag] : withTag(old, tag), context);
}

/** Takes a tag out of a frontmatter's YAML. Those that a merge key brings stay. */
export function removeYamlTag(yaml: string, tag: string, context: Context): string {
  let text = yaml;
  for (const { key } of tagEntries(yaml)) text = removeFrom(text, key, tag, context);
  return text;
}

function removeFrom(yaml: string, key: string, tag: string, context: Context): string {
  const { data } = readYaml(yaml);
  const entry = tagEntries(yaml).find((found) => found.key === key)!;
  const old = data[key];
  const list = listOf(entry.node, yaml);
  if (list === null) {
    const left = withoutTag(old, tag);
    return left === old ? yaml : set(yaml, key, left, context);
  }
  const items = list.items;
  const gone = items.map(
    (item) => isScalar(item) && isTag(item.source ?? String(item.value), item.value, tag),
  );
  if (!gone.includes(true)) return yaml;
  const next = (old as unknown[]).filter((_, index) => !gone[index]);
  if (next.length === 0) return set(yaml, key, [], context);
  const indexes = [...gone.keys()].filter((index) => gone[index]);
  const cuts = indexes.map((index) =>
    list.flow === true ? flowCutOf(list, index, gone) : blockCut(yaml, entry, list, index),
  );
  const spliced = applySplices(yaml, cuts);
  return holds(spliced, data, key, next) ? spliced : set(yaml, key, next, context);
}

/** Cuts to the next entry that stays, or back to the last one that does. */
function flowCutOf(list: YAMLSeq<Node | null>, index: number, gone: readonly boolean[]): Splice {
  const ranges = list.items.map(rangeOf);
  const stays = gone.indexOf(false, index) >= 0;
  if (stays) return flowCut(ranges, index);
  const last = gone.lastIndexOf(false);
  // The first of the run at the end takes the comma before it.
  return index === last + 1
    ? { start: ranges[last]!.end, end: ranges[index]!.end, text: '' }
    : { start: ranges[index - 1]!.end, end: ranges[index]!.end, text: '' };
}

function blockCut(yaml: string, entry: Entry, list: YAMLSeq<Node | null>, index: number): Splice {
  const dashes = dashOffsets(list);
  const start = lineStart(yaml, dashes[index]!);
  const next = dashes[index + 1];
  const last = rangeOf(list.items[index] ?? null).end;
  const end = next === undefined ? entry.lines.end : lineStart(yaml, next);
  // Comments between two entries stay where they are.
  const own = lineEnd(yaml, Math.max(dashes[index]!, last > dashes[index]! ? last - 1 : dashes[index]!));
  return { start, end: Math.min(end, own), text: '' };
}

function flowItem(list: YAMLSeq<Node | null>, tag: string): Splice {
  const item = yamlValue('add', tag, { flow: true }).trimStart();
  const last = list.items.at(-1);
  const at = last === undefined || last === null ? rangeOf(list).start + 1 : rangeOf(last).end;
  return { start: at, end: at, text: last === undefined ? item : `, ${item}` };
}

function blockItem(yaml: string, list: YAMLSeq<Node | null>, tag: string, { lineBreak }: Context): Splice {
  const dash = dashOffsets(list).at(-1)!;
  const item = yamlValue('add', tag, { oneLine: true }).trimStart();
  const indent = yaml.slice(lineStart(yaml, dash), dash);
  const gap = /^-( *)/.exec(yaml.slice(dash, lineContentEnd(yaml, dash)))?.[1] || ' ';
  const { end } = rangeOf(list.items.at(-1) ?? null);
  const at = lineContentEnd(yaml, Math.max(dash, end - (yaml[end - 1] === '\n' ? 1 : 0)));
  return { start: at, end: at, text: `${lineBreak}${indent}-${gap}${item}` };
}

function dashOffsets(list: YAMLSeq<Node | null>): number[] {
  const token = list.srcToken as CST.BlockSequence | undefined;
  const dashes: number[] = [];
  for (const { start } of token?.items ?? [])
    for (const { type, offset } of start) if (type === 'seq-item-ind') dashes.push(offset);
  return dashes;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function tagEntries(yaml: string): readonly Entry[] {
  return (readYamlSource(yaml)?.entries ?? []).filter(({ key }) => KEY.test(key));
}

/** The node as a list; null for text, `[[Link]]` among it. */
function listOf(node: Node | null, yaml: string): YAMLSeq<Node | null> | null {
  if (!isSeq(node)) return null;
  const list = node as YAMLSeq<Node | null>;
  return asUnquotedLink(list, yaml) === null ? list : null;
}

function set(yaml: string, key: string, value: unknown, { lineBreak, path }: Context): string {
  return changeYaml(yaml, { set: new Map([[key, value]]), unset: new Set() }, lineBreak, path);
}

/** Text that is parted by commas or spaces stays so; one tag becomes a list of two. */
function withTag(old: unknown, tag: string): unknown {
  if (typeof old !== 'string') return [old, tag];
  const text = old.trim();
  if (text === '') return [tag];
  if (text.includes(',')) return text.endsWith(',') ? `${old} ${tag}` : `${old}, ${tag}`;
  return /\s/.test(text) ? `${old} ${tag}` : [old, tag];
}

function withoutTag(old: unknown, tag: string): unknown {
  const text = typeof old === 'string' ? old : typeof old === 'number' ? String(old) : '';
  const names = [...text.matchAll(/[^\s,]+/g)];
  const left = names.filter(([name]) => !isTag(name, name, tag));
  if (left.length === names.length) return old;
  if (left.length === 0) return [];
  let next = text;
  for (const { 0: name, index } of names.toReversed()) {
    if (!isTag(name, name, tag)) continue;
    const before = next.slice(0, index);
    const after = next.slice(index + name.length);
    const rest = after.replace(/^(?:\s*,\s*|\s+)/, '');
    next = rest === '' ? before.replace(/(?:\s*,\s*|\s+)$/, '') : before + rest;
  }
  return next;
}

function isTag(source: string, value: unknown, tag: string): boolean {
  const text = typeof value === 'string' ? value : source;
  return foldCase(text.trim().replace(/^#+/, '').replace(/\/+$/, '')) === foldCase(tag);
}

function holds(
  yaml: string,
  before: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): boolean {
  const { data, error } = readYaml(yaml);
  if (error !== null) return false;
  return isDeepStrictEqual(
    Object.entries(data),
    Object.entries(before).map(([name, old]) => [name, name === key ? value : old]),
  );
}
