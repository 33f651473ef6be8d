import type { Dialect } from '@grove/markdown';
import { DateTime } from 'luxon';

/** What a property can be asked to be. */
export const FIELD_KINDS = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'list',
  'link',
  'tags',
  'enum',
] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
// One wikilink, Markdown link or web address, and nothing beside it.
const LINK = /^(?:!?\[\[[^[\]\n]+\]\]|\[[^[\]\n]*\]\([^()\s]+\)|https?:\/\/\S+)$/;
const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
// https://help.obsidian.md/tags: no blanks, and not only digits.
const TAG = /^#?(?!\d+$)[^\s#,[\]]+$/u;

/** Longer values are no dates, links or words of a list. */
const LONGEST = 2_000;

/** True for a property that is there and says nothing: null, blank text, an empty list. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.every(isEmptyValue);
}

/**
 * Whether a property's value is of a kind. Values are what {@link https://yaml.org/spec/1.2.2/#103-core-schema YAML's
 * core schema} makes of the frontmatter; a Logseq property is text, in which numbers, words and lists parted by commas
 * are known.
 *
 * @param values for `enum`: what it may be, as text
 * @example fitsKind('2026-11-30', 'date', [], 'obsidian') // true
 */
export function fitsKind(
  value: unknown,
  kind: FieldKind,
  values: readonly string[],
  dialect: Dialect,
): boolean {
  const isText = dialect === 'logseq';
  switch (kind) {
    case 'text':
      // What YAML takes for a number may well be meant as a name: 1984.
      return typeof value === 'string' || typeof value === 'number';
    case 'number':
      return (
        typeof value === 'number' || (isText && short(value) !== null && NUMERAL.test(short(value) ?? ''))
      );
    case 'boolean':
      return typeof value === 'boolean' || (isText && /^(?:true|false)$/i.test(short(value) ?? ''));
    case 'date':
      return isDay(unlinked(value, isText));
    case 'datetime':
      return isMoment(short(value));
    case 'list':
      return Array.isArray(value) || (isText && typeof value === 'string');
    case 'link':
      return entries(value, isText).every((entry) => LINK.test(short(entry) ?? ''));
    case 'tags':
      return (
        (Array.isArray(value) || isText) && entries(value, isText).every((entry) => TAG.test(tagText(entry)))
      );
    case 'enum':
      return isScalar(value) && values.includes(String(value));
  }
}

function short(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST ? value.trim() : null;
}

function entries(value: unknown, isText: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isText && typeof value === 'string' ? value.split(',') : [value];
}

function unlinked(value: unknown, isText: boolean): string | null {
  const text = short(value);
  return isText ? (text?.replace(/^\[\[|\]\]$/g, '') ?? null) : text;
}

function tagText(entry: unknown): string {
  if (typeof entry === 'number') return String(entry);
  return short(entry)?.replace(/^\[\[|\]\]$/g, '') ?? '';
}

function isDay(text: string | null): boolean {
  return text !== null && DAY.test(text) && DateTime.fromISO(text).isValid;
}

function isMoment(text: string | null): boolean {
  if (text === null || !MOMENT.test(text)) return false;
  return DateTime.fromISO(text.replace(' ', 'T')).isValid;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
