import type { Dialect, Link, Range } from '@grove/markdown';

/** Where the target of a link stands in the text of its note, and what must be minded when another is put there. */
export interface WrittenTarget extends Range {
  readonly form: 'wikilink' | 'angle' | 'bare';
  /** The quotes of the YAML value that holds it. */
  readonly quote: '"' | "'" | null;
}

/**
 * Finds the target of a link, without heading, block and label, as it is written; null where it is not written at that
 * link, such as in `[text][reference]`.
 */
export function findWrittenTarget(text: string, link: Link, dialect: Dialect): WrittenTarget | null {
  const source = text.slice(link.start, link.end);
  const found = inSource(source, link, dialect);
  if (found === null) return null;
  const before = text[link.start - 1];
  const isQuoted = link.kind === 'frontmatter' && (before === '"' || before === "'");
  return {
    ...found,
    start: link.start + found.start,
    end: link.start + found.end,
    quote: isQuoted ? before : null,
  };
}

/** Another target in the place of the one that is written. */
export function writeTarget(target: string, written: string, { form, quote }: WrittenTarget): string {
  if (form === 'wikilink') return quoted(target, quote);
  const hasEscapes = /%[0-9a-f]{2}/i.test(written);
  const isAscii = hasEscapes && /%[89a-f][0-9a-f]/i.test(written);
  const escaped = target.replaceAll(form === 'angle' ? /[<>%#\\\n]/g : /[%#<>()\\\s]/g, (character) =>
    form === 'angle' && character === '%' && !hasEscapes && decodesToItself(target)
      ? character
      : percent(character),
  );
  return quoted(isAscii ? escaped.replaceAll(/[^\u0000-\u007f]+/g, encodeURIComponent) : escaped, quote);
}

type Found = Omit<WrittenTarget, 'quote'>;

function inSource(source: string, link: Link, dialect: Dialect): Found | null {
  if (link.kind === 'wikilink' || link.kind === 'embed' || source.startsWith('[[')) {
    const open = source.indexOf('[[') + 2;
    return open < 2 ? null : inWikilink(source, open, source.length - 2, dialect, link);
  }
  if (link.kind === 'definition') {
    const colon = source.indexOf(']:');
    return colon < 0 ? null : (inDestination(source, colon + 2)?.found ?? null);
  }
  if (dialect === 'logseq' && source.endsWith(']])')) {
    const open = source.lastIndexOf('([[') + 3;
    return open < 3 ? null : inWikilink(source, open, source.length - 3, dialect, link);
  }
  for (let at = source.indexOf(']('); at >= 0; at = source.indexOf('](', at + 1)) {
    const destination = inDestination(source, at + 2);
    if (destination !== null && endsLink(source, destination.end)) return destination.found;
  }
  return null;
}

function inWikilink(source: string, open: number, close: number, dialect: Dialect, link: Link): Found {
  const inside = source.slice(open, close);
  // Page names of Logseq may hold what elsewhere ends a target.
  const isWhole = dialect === 'logseq' && link.kind !== 'frontmatter';
  const stop = isWhole ? -1 : inside.search(/#|\\?\|/);
  const target = stop < 0 ? inside : inside.slice(0, stop);
  const start = open + (target.length - target.trimStart().length);
  return { start, end: start + target.trim().length, form: 'wikilink' };
}

/** A destination (CommonMark, "Links"), up to its fragment; `end` is behind all of it. */
function inDestination(source: string, from: number): { readonly found: Found; readonly end: number } | null {
  const start = from + (/^\s*/.exec(source.slice(from))?.[0].length ?? 0);
  const angle = /^<((?:\\.|[^<>\\\n])*)>/.exec(source.slice(start));
  if (angle !== null) {
    const inside = angle[1] ?? '';
    const found: Found = { start: start + 1, end: start + 1 + pathLength(inside), form: 'angle' };
    return { found, end: start + angle[0].length };
  }
  const end = bareEnd(source, start);
  if (end === start) return null;
  return { found: { start, end: start + pathLength(source.slice(start, end)), form: 'bare' }, end };
}

function bareEnd(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === '\\') at += 1;
    else if (/[\u0000- ]/.test(character)) return at;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return source.length;
}

function pathLength(destination: string): number {
  const hash = destination.indexOf('#');
  return hash < 0 ? destination.length : hash;
}

/** True when nothing but a title stands between the destination and the end of the link. */
function endsLink(source: string, end: number): boolean {
  return /^(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*\)\s*$/.test(
    source.slice(end),
  );
}

function decodesToItself(target: string): boolean {
  return !/%[0-9a-f]{2}/i.test(target);
}

function percent(character: string): string {
  return character > '\u007f'
    ? encodeURIComponent(character)
    : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function quoted(target: string, quote: WrittenTarget['quote']): string {
  if (quote === '"') return target.replaceAll(/["\\]/g, String.raw`\$&`);
  return quote === "'" ? target.replaceAll("'", "''") : target;
}
