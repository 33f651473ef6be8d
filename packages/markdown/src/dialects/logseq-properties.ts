import { lineContentEnd, lineEnd } from '../lines.ts';
import type { Range } from '../model.ts';

/** One `key:: value` line. */
export interface LogseqProperty extends Range {
  readonly key: string;
  readonly value: string;
  /** Where the value starts. */
  readonly valueStart: number;
}

// Keys hold no white space, brackets, quotes, braces or `#`; an optional bullet starts the block.
const PROPERTY = /^([ \t]*(?:[-*+][ \t]+)?)([^\s:"'`#()[\]{}]+)::(?:[ \t]+(.*)|[ \t]*)$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
// Properties whose value is a list of names, parted by commas (https://docs.logseq.com, "Built-in Properties").
const LISTS: ReadonlySet<string> = new Set(['alias', 'aliases', 'tags', 'tag']);

/**
 * The properties of a Logseq page: the `key:: value` lines that open its body, with or without a bullet
 * before the first. They end at the first line that is none.
 */
export function readPageProperties(text: string, bodyStart: number): LogseqProperty[] {
  const properties: LogseqProperty[] = [];
  let at = bodyStart;
  while (at < text.length && lineContentEnd(text, at) === at) at = lineEnd(text, at);
  for (let first = true; at < text.length; at = lineEnd(text, at), first = false) {
    const property = readProperty(text, at);
    if (property === null || (!first && property.bulleted)) break;
    properties.push(property);
  }
  return properties;
}

/** The `key:: value` line that starts at an offset, or null. */
export function readProperty(
  text: string,
  lineStart: number,
): (LogseqProperty & { bulleted: boolean }) | null {
  const end = lineContentEnd(text, lineStart);
  const match = PROPERTY.exec(text.slice(lineStart, end));
  if (match === null) return null;
  const [, indent = '', key = '', value = ''] = match;
  const start = lineStart + indent.length;
  const valueStart = end - value.length;
  return { key, value: value.trim(), start, end, valueStart, bulleted: /[-*+]/.test(indent) };
}

/**
 * A property's value as Logseq reads it: numbers and booleans as such, the names of `tags` and `alias` as a
 * list, all else as text.
 *
 * @example propertyValue({ key: 'alias', value: 'One, [[Two]]', … }) // ['One', 'Two']
 */
export function propertyValue({ key, value }: Pick<LogseqProperty, 'key' | 'value'>): unknown {
  if (LISTS.has(key.toLowerCase())) return splitNames(value).map((name) => name.name);
  if (value === 'true' || value === 'false') return value === 'true';
  if (NUMBER.test(value) && String(Number(value)) === value) return Number(value);
  return value;
}

/** Names parted by commas, as `One`, `#One`, `[[One]]` or `#[[One]]`, with their offsets in the value. */
export function splitNames(value: string): { name: string; start: number; end: number }[] {
  const names: { name: string; start: number; end: number }[] = [];
  for (const match of value.matchAll(/#?\[\[([^\]]*)\]\]|[^\s,，][^,，]*/g)) {
    const raw = match[0];
    const name = match[1] ?? raw.trim().replace(/^#/, '');
    if (name.trim() === '') continue;
    names.push({ name: name.trim(), start: match.index, end: match.index + raw.trimEnd().length });
  }
  return names;
}
