import { stripEnd } from '@grove/core';
import { parseDestination } from '../inline/destination.ts';
import { parseWikilink, type Target } from '../inline/wikilink.ts';
import { lineAt } from '../lines.ts';
import type { Link, Tag } from '../model.ts';
import type { PropertyValue } from './values.ts';

const TAG_KEY = /^tags?$/i;
const ALIAS_KEY = /^alias(?:es)?$/i;
// One wikilink, after what may stand between several.
const WIKILINK = /[\s,;]*(!?\[\[([^[\]\n]+)\]\])\s*/y;
const MARKDOWN_LINK = /^\s*!?\[([^[\]]*)\]\((?:<([^<>]*)>|([^()\s]*))\)\s*$/;

/** The tags of the `tags` or `tag` property: a list, or text parted by commas or white space. */
export function frontmatterTags(
  values: readonly PropertyValue[],
  lineStarts: readonly number[],
  text: string,
): Tag[] {
  const tags: Tag[] = [];
  for (const value of values) {
    if (!TAG_KEY.test(value.property) || value.role === 'nested') continue;
    const names = value.role === 'entry' ? [value.text] : value.text.split(/[\s,]+/);
    const place = spanFinder(value, text);
    for (const raw of names) {
      const name = tagName(raw);
      if (name === '') continue;
      const [start, end] = place(raw.trim());
      tags.push({ name, source: 'frontmatter', start, end, line: lineAt(lineStarts, start) });
    }
  }
  return tags;
}

/** The aliases of the `aliases` or `alias` property: a list, or text parted by commas. */
export function frontmatterAliases(values: readonly PropertyValue[]): string[] {
  const aliases: string[] = [];
  for (const value of values) {
    if (!ALIAS_KEY.test(value.property) || value.role === 'nested') continue;
    for (const raw of value.role === 'entry' ? [value.text] : value.text.split(',')) {
      const alias = raw.trim();
      if (alias !== '' && !aliases.includes(alias)) aliases.push(alias);
    }
  }
  return aliases;
}

/** The links of the properties: each value or list entry, at any depth, that is a link (or several). */
export function frontmatterLinks(
  values: readonly PropertyValue[],
  lineStarts: readonly number[],
  text: string,
): Link[] {
  const links: Link[] = [];
  // An anchor's value is met again under each alias, but written once.
  const seen = new Set<number>();
  for (const value of values) {
    if (!value.text.includes('[') || seen.has(value.start)) continue;
    seen.add(value.start);
    const place = spanFinder(value, text);
    for (const { source, target, label } of linksIn(value.text)) {
      const [start, end] = place(source);
      const line = lineAt(lineStarts, start);
      links.push({ ...target, kind: 'frontmatter', label, property: value.property, start, end, line });
    }
  }
  return links;
}

/** The text of a property that should be one value: its own, or the first of its list; null when it has none. */
export function singleProperty(values: readonly PropertyValue[], name: string): string | null {
  for (const value of values) {
    if (value.property.toLowerCase() !== name || value.role === 'nested') continue;
    const text = value.text.trim();
    if (text !== '') return text;
  }
  return null;
}

/** The page that `[[Page|label]]` names, or the text itself when it is no link. */
export function withoutLink(text: string): string {
  const match = /^\[\[([^[\]\n]+)\]\]$/.exec(text);
  return match === null ? text : parseWikilink(match[1]!).target || text;
}

function tagName(raw: string): string {
  return stripEnd(withoutLink(raw.trim()).replace(/^#+/, ''), '/').trim();
}

interface ValueLink {
  readonly source: string;
  readonly target: Target;
  readonly label: string | null;
}

function linksIn(text: string): ValueLink[] {
  const wikilinks = readWikilinks(text);
  if (wikilinks.length > 0) return wikilinks;
  const match = MARKDOWN_LINK.exec(text);
  if (match === null) return [];
  const target = parseDestination(match[2] ?? match[3] ?? '');
  return target === null ? [] : [{ source: text.trim(), target, label: match[1] || null }];
}

/** The links of a value that is nothing but links; prose that mentions one is no link in Obsidian. */
function readWikilinks(text: string): ValueLink[] {
  const links: ValueLink[] = [];
  for (let at = 0; at < text.length; at = WIKILINK.lastIndex) {
    WIKILINK.lastIndex = at;
    const match = WIKILINK.exec(text);
    if (match === null) return [];
    const { label, ...target } = parseWikilink(match[2]!);
    links.push({ source: match[1]!.replace(/^!/, ''), target, label });
  }
  return links;
}

/** Finds the places of parts of a value, in their order; the whole value when an escape hides one. */
function spanFinder(value: PropertyValue, text: string): (part: string) => [number, number] {
  let from = value.start;
  return (part) => {
    const at = text.slice(from, value.end).indexOf(part);
    if (at < 0) return [value.start, value.end];
    const start = from + at;
    from = start + part.length;
    return [start, from];
  };
}
