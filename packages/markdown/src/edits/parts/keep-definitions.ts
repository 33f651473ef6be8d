import { lineContentEnd, lineEnd } from '../../lines.ts';
import type { Link, NoteText } from '../../model.ts';
import { lineBreakOf } from '../lines/line-breaks.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import { definitionsStart } from './foam-definitions.ts';

/** What a wikilink leads to, for its definition. */
export interface DefinedTarget {
  /** The path of the note from the folder of the one that links, ending in `.md`. */
  readonly path: string;
  readonly title: string;
}

const DEFINITION = /^ {0,3}\[(?!\^)([^\]]+)\]:[ \t]*(<[^>]*>|\S+)/;
const BEGIN = '//begin';
const END = '//end';

interface Definition {
  readonly label: string;
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The text of a note of Foam whose wikilinks all have their link reference definitions, as Foam itself writes them for
 * readers that know Markdown alone: `[barrel]: ../water/barrel.md "Rain barrel"`. Only where the note ends in such
 * definitions; between Foam's two marks those go whose wikilink is gone. Other notes stay as they are.
 *
 * @param find what a wikilink leads to; null when that is not known, and nothing can be defined
 * @example keepDefinitions(note, () => ({ path: 'b.md', title: 'B' })) // '[[a]] [[b]]\n\n[a]: a.md "A"\n[b]: b.md "B"\n'
 */
export function keepDefinitions(note: NoteText, find: (link: Link) => DefinedTarget | null): string {
  return withDefinitions(note, find, { dropsUnused: true });
}

/** The same, but only adds: definitions that are there stay as they are, used or not. */
export function addDefinitions(note: NoteText, find: (link: Link) => DefinedTarget | null): string {
  return withDefinitions(note, find, { dropsUnused: false });
}

function withDefinitions(
  note: NoteText,
  find: (link: Link) => DefinedTarget | null,
  { dropsUnused }: { readonly dropsUnused: boolean },
): string {
  const { text } = note;
  const start = definitionsStart(note);
  if (start === text.length) return text;
  const definitions = readDefinitions(text, start);
  const used = new Map<string, Link>();
  for (const link of note.links)
    if (link.kind === 'wikilink' && link.end <= start) {
      const inside = text.slice(link.start + 2, link.end - 2);
      if (!used.has(inside)) used.set(inside, link);
    }
  const end = definitions.find(({ label }) => label === END);
  const isMarked = definitions[0]?.label === BEGIN && end !== undefined;
  const own = definitions.filter(({ label }) => label !== BEGIN && label !== END);
  // Definitions that are for no wikilink are somebody's own.
  if (!isMarked && !own.some(({ label }) => used.has(label))) return text;
  const gone: Splice[] =
    isMarked && dropsUnused
      ? own
          .filter((one) => one.start < end.start && !used.has(one.label))
          .map((one) => ({ start: one.start, end: one.end, text: '' }))
      : [];
  const known = new Set(own.map(({ label }) => label));
  const withExtension = own.length === 0 || own.some(({ url }) => /\.md>?$/i.test(url));
  const lines = [...used].flatMap(([label, link]) => {
    const target = known.has(label) || /[[\]]/.test(label) ? null : find(link);
    return target === null ? [] : [definition(label, target, withExtension)];
  });
  if (lines.length === 0) return applySplices(text, gone);
  const lineBreak = lineBreakOf(text);
  const last = definitions.at(-1);
  const at = isMarked ? end.start : (last?.end ?? text.length);
  const isOpen = at > 0 && text[at - 1] !== '\n';
  const added = lines.map((line) => (isOpen ? lineBreak + line : line + lineBreak)).join('');
  return applySplices(text, [...gone, { start: at, end: at, text: added }]);
}

function readDefinitions(text: string, start: number): Definition[] {
  const found: Definition[] = [];
  for (let at = start; at < text.length; at = lineEnd(text, at)) {
    const match = DEFINITION.exec(text.slice(at, lineContentEnd(text, at)));
    if (match === null) continue;
    found.push({ label: match[1] ?? '', url: match[2] ?? '', start: at, end: lineEnd(text, at) });
  }
  return found;
}

function definition(label: string, { path, title }: DefinedTarget, withExtension: boolean): string {
  const url = withExtension ? path : path.replace(/\.md$/i, '');
  const destination = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>]/g, encodeURIComponent)}>` : url;
  return `[${label}]: ${destination} "${title.replaceAll(/\s+/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
