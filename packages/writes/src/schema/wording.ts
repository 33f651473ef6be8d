import type { Dialect } from '@grove/markdown';
import type { FieldKind, FieldRule } from '@grove/vault';

const LONGEST_LIST = 150;

const WANTED: Readonly<Record<Exclude<FieldKind, 'enum'>, string>> = {
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a day as YYYY-MM-DD',
  datetime: 'a time as YYYY-MM-DDTHH:MM',
  list: 'a list',
  link: 'a link',
  tags: 'a list of tags',
};

const EXAMPLES: Readonly<Record<Exclude<FieldKind, 'enum'>, Example>> = {
  text: 'some words',
  number: 1,
  boolean: true,
  date: '2026-11-30',
  datetime: '2026-11-30T09:00',
  list: ['one', 'two'],
  link: '[[Note]]',
  tags: ['one', 'two'],
};

type Example = string | number | boolean | readonly string[];

/** What a field is to be, as a noun. */
export function wantedOf({ kind, values }: Pick<FieldRule, 'kind' | 'values'>): string {
  if (kind !== 'enum') return WANTED[kind];
  const all = values.join(', ');
  return `one of: ${all.length <= LONGEST_LIST ? all : `${all.slice(0, LONGEST_LIST)}…`}`;
}

/** A value that a field takes: the owner's own example, else one of its kind. */
export function exampleValue({ kind, values, example }: FieldRule): Example {
  return example ?? (kind === 'enum' ? (values[0] ?? '') : EXAMPLES[kind]);
}

/**
 * A property as its line stands in a note.
 *
 * @example exampleLine('author', '[[Ada]]', 'obsidian') // 'author: "[[Ada]]"'
 * @example exampleLine('tags', ['book'], 'logseq') // 'tags:: book'
 */
export function exampleLine(name: string, value: Example, dialect: Dialect): string {
  if (dialect === 'logseq') return `${name}:: ${typeof value === 'object' ? value.join(', ') : value}`;
  return `${plain(name)}: ${typeof value === 'object' ? `[${value.map(plain).join(', ')}]` : plain(value)}`;
}

/** Quoted where YAML would take the bare text for something else. */
function plain(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const isBare =
    /^[\p{L}_][\p{L}\p{N} _./-]*$/u.test(value) &&
    !/^(?:true|false|null)$/i.test(value) &&
    value === value.trim();
  return isBare || /^\d{4}-\d{2}-\d{2}(?:T[\d:]+)?$/.test(value) ? value : JSON.stringify(value);
}
