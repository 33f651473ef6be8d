import { GroveError } from '@grove/core';
import type { NoteText } from '../../model.ts';
import { acceptJson, acceptText, badInput } from '../incoming.ts';
import { lineBreakOf } from '../lines/line-breaks.ts';
import { type EditResult, resultOf } from '../result.ts';
import { changeYaml, type PropertyChange } from './change-yaml.ts';
import { changePageProperties } from './page-properties.ts';

/** Properties of a note to set and to take away. */
export interface FrontmatterEdit {
  /** JSON values by key; a value takes the place of the old one whole. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Keys. */
  readonly unset: readonly string[];
  /** The note's path, named in errors. */
  readonly path: string;
}

/**
 * Sets and takes away properties of a note; only the bytes of the keys that are named change. Comments,
 * quotes, the order of keys, anchors and line breaks of all others stay, and a key that has the wanted value
 * already is left as it is written. A note without frontmatter gets a block; a Logseq page gets `key:: value`
 * lines. Keys to take away that are not there are told in the remarks.
 *
 * Throws `frontmatter_broken` (the YAML does not parse, repeats a key, or is not closed),
 * `frontmatter_entangled` (another key repeats the value by an alias) and `bad_input`.
 *
 * @example
 * editFrontmatter(parseNote('---\na: 1 # one\n---\n', options), { set: { a: 2 }, unset: [], path: 'x.md' }).text
 * // '---\na: 2 # one\n---\n'
 */
export function editFrontmatter(note: NoteText, edit: FrontmatterEdit): EditResult {
  const change = acceptChange(edit);
  const { data } = note.frontmatter;
  const absent = [...change.unset].filter((key) => !Object.hasOwn(data, key));
  const remarks = absent.map((key) => `There was no property "${key}" to take away.`);
  const others = Object.keys(data);
  for (const key of change.set.keys()) {
    const twin = others.find((found) => found !== key && found.toLowerCase() === key.toLowerCase());
    if (twin !== undefined && !Object.hasOwn(data, key))
      remarks.push(`The note has a property "${twin}" too, which differs in case alone.`);
  }
  return resultOf(note, changeProperties(note, change, edit.path), remarks);
}

/** A note's text with its properties changed, wherever its dialect keeps them. */
export function changeProperties(note: NoteText, change: PropertyChange, path: string): string {
  refuseBroken(note, path);
  const { text, frontmatter } = note;
  const lineBreak = lineBreakOf(text);
  const { yaml } = frontmatter;
  if (yaml === null && note.dialect === 'logseq') return changePageProperties(note, change);
  if (yaml !== null) {
    const next = changeYaml(text.slice(yaml.start, yaml.end), change, lineBreak, path);
    return text.slice(0, yaml.start) + next + text.slice(yaml.end);
  }
  if (change.set.size === 0) return text;
  const block = changeYaml('', { ...change, unset: new Set() }, lineBreak, path);
  const start = text.startsWith('\ufeff') ? 1 : 0;
  return `${text.slice(0, start)}---${lineBreak}${block}---${lineBreak}${text.slice(start)}`;
}

/** Refuses a note whose frontmatter cannot be read: `frontmatter_broken`. */
export function refuseBroken({ frontmatter }: NoteText, path: string): void {
  if (frontmatter.status !== 'broken' && frontmatter.status !== 'unclosed') return;
  const { message = 'it is broken', line = 1 } = frontmatter.error ?? {};
  throw new GroveError('frontmatter_broken', { path, reason: message, line });
}

function acceptChange({ set, unset }: FrontmatterEdit): PropertyChange {
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(set)) {
    acceptText('set', key);
    values.set(key, acceptJson(key, value));
  }
  const gone = new Set<string>();
  for (const key of unset) {
    if (values.has(key)) throw badInput('unset', `"${key}" is to be set and to be taken away`);
    gone.add(key);
  }
  return { set: values, unset: gone };
}
