import { nearest } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { type Asks, type Field, type FieldKind, findField, type NoteFields } from './fields.ts';
import { compileLogic, unknownOperator } from './logic/compile.ts';
import { LOGIC_OPERATORS } from './logic/operators.ts';
import type { PatternVerdicts } from './logic/pattern-verdicts.ts';
import type { Moments } from './logic/values.ts';
import { clipped, refusedWhere } from './refused-where.ts';
import { passes } from './text-question.ts';
import { compareValues, containsValue, equalValues } from './values.ts';

const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'in', 'contains', 'exists'] as const;
type Operator = (typeof OPERATORS)[number];
const SPELLINGS: Readonly<Record<string, Operator>> = { '==': '=', '===': '=', '!==': '!=', '<>': '!=' };

const MOST_COMPARISONS = 50;
const MOST_VALUES = 200;
/** Every value is compared with every note. */
const MOST_VALUES_IN_ALL = 500;
const LONGEST_NAME = 200;
const LONGEST_VALUE = 1_000;

/** One comparison, or a tree of them, ready to be asked of a note. */
export interface Comparison {
  /** The most costly of what it asks for. */
  readonly asks: Asks;
  /** Frontmatter keys that it names, as written. */
  readonly properties: readonly string[];
  matches(row: NoteRow, fields: NoteFields): boolean;
}

/** Operators of JSONLogic that also come with a value that is no list. */
const UNARY = new Set(['var', '!', '!!']);

/**
 * Compiles `where`: a tree of JSONLogic, or field comparisons that must all hold. There a value alone is `=`, a list is
 * `in`, null is "not there".
 *
 * @throws GroveError `bad_filter`, `bad_regex`
 * @example await compileWhere({ status: 'active', due: { '<': '2026-12-01' } }, moments, verdicts)
 */
export async function compileWhere(
  where: Readonly<Record<string, unknown>>,
  moments: Moments,
  verdicts: PatternVerdicts,
): Promise<readonly Comparison[]> {
  if (isLogic(where)) return [await compileLogic(where, moments, verdicts)];
  if (Object.keys(where).length > MOST_COMPARISONS)
    throw refusedWhere(`at most ${MOST_COMPARISONS} comparisons`);
  const values = Object.values(where).reduce((sum: number, wanted) => sum + countValues(wanted), 0);
  if (values > MOST_VALUES_IN_ALL) throw refusedWhere(`at most ${MOST_VALUES_IN_ALL} values in all`);
  const comparisons = Object.entries(where).flatMap(([name, wanted]) =>
    compileField(name, wanted, (text) => moments.read(text)),
  );
  if (comparisons.length > MOST_COMPARISONS) throw refusedWhere(`at most ${MOST_COMPARISONS} comparisons`);
  return comparisons;
}

/** True for an object whose one key is an operator of JSONLogic, with a list; others name fields. */
export function isLogic(where: Readonly<Record<string, unknown>>): boolean {
  const [first, ...others] = Object.entries(where);
  if (first === undefined || others.length > 0) return false;
  const [operator, value] = first;
  return LOGIC_OPERATORS.includes(operator) && (Array.isArray(value) || UNARY.has(operator));
}

/** What one field is compared with, `in` lists counted item by item. */
function countValues(wanted: unknown): number {
  if (Array.isArray(wanted)) return wanted.length;
  if (typeof wanted !== 'object' || wanted === null) return 1;
  return Object.values(wanted).reduce(
    (sum: number, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
}

function compileField(
  name: string,
  wanted: unknown,
  moment: (text: string) => number | null,
): readonly Comparison[] {
  if (name.length > LONGEST_NAME) throw refusedWhere(`the field "${clipped(name)}…" has too long a name`);
  const field = findField(name);
  const make = (operator: Operator, value: unknown): Comparison => {
    const judge = compileOperator(
      name,
      operator,
      prepare(name, field.kind, operator, value, moment),
      field.kind,
    );
    const question = passes(operator, value, judge);
    return {
      asks: field.asks,
      properties: field.isProperty ? [name] : [],
      matches:
        field.asks === 'text'
          ? (row, fields) => fields.says(row, question).isYes
          : (row, fields) => judge(readFilled(field, row, fields)),
    };
  };
  if (Array.isArray(wanted)) {
    refuseMisplacedLogic(name, wanted);
    return [make('in', wanted)];
  }
  if (typeof wanted !== 'object' || wanted === null) return [make('=', wanted)];
  const entries = Object.entries(wanted);
  if (entries.length === 0) throw refusedWhere(`"${clipped(name)}" has no comparison`);
  return entries.map(([operator, value]) => make(readOperator(name, operator), value));
}

/** A field's value; a list that every note has, such as its tags, is not there while it is empty. */
function readFilled(field: Field, row: NoteRow, fields: NoteFields): unknown {
  const value = field.read(row, fields);
  return !field.isProperty && Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** A list of objects is never one of values: it was meant as JSONLogic. */
function refuseMisplacedLogic(name: string, list: readonly unknown[]): void {
  if (!list.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) return;
  if (!LOGIC_OPERATORS.includes(name)) throw refusedWhere(unknownOperator(name));
  throw refusedWhere(`"${name}" of JSONLogic stands alone: put the other comparisons into it`);
}

function readOperator(name: string, operator: string): Operator {
  const word = operator.trim().toLowerCase();
  const known = Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : OPERATORS.find((own) => own === word);
  if (known !== undefined) return known;
  const near = nearest(word, OPERATORS, 1)[0];
  const meant = near === undefined ? '' : `, did you mean "${near}"`;
  throw refusedWhere(
    `"${clipped(name)}" is compared by "${clipped(operator)}"${meant}; the operators are ${OPERATORS.join(', ')}`,
  );
}

/** Checks the value and turns dates into moments where the field is a time. */
function prepare(
  name: string,
  kind: FieldKind,
  operator: Operator,
  value: unknown,
  moment: (text: string) => number | null,
): unknown {
  if (operator === 'exists') return readExists(name, value);
  if (operator === 'in') {
    if (!Array.isArray(value)) throw refusedWhere(`"in" of "${clipped(name)}" takes a list`);
    if (value.length > MOST_VALUES)
      throw refusedWhere(`"in" of "${clipped(name)}" takes at most ${MOST_VALUES} values`);
    return value.map((item) => prepare(name, kind, '=', item, moment));
  }
  if (typeof value === 'string' && value.length > LONGEST_VALUE)
    throw refusedWhere(`"${clipped(name)}" is compared with a text of more than ${LONGEST_VALUE} characters`);
  if (typeof value === 'object' && value !== null)
    throw refusedWhere(`"${clipped(name)}" is compared with a list or an object`);
  if (kind !== 'time' || value === null) return value;
  const at = typeof value === 'number' ? value : moment(String(value));
  if (at === null) throw refusedWhere(`"${clipped(String(value))}" for "${clipped(name)}" is no date`);
  return at;
}

function readExists(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw refusedWhere(`"exists" of "${clipped(name)}" takes true or false`);
}

function compileOperator(
  name: string,
  operator: Operator,
  wanted: unknown,
  kind: FieldKind,
): (value: unknown) => boolean {
  switch (operator) {
    case '=':
      return (value) => equalValues(value, wanted, kind);
    case '!=':
      return (value) => !equalValues(value, wanted, kind);
    case 'in': {
      const list = wanted as readonly unknown[];
      return (value) => list.some((item) => equalValues(value, item, kind));
    }
    case 'contains':
      return (value) => containsValue(value, wanted, kind);
    case 'exists':
      return (value) => (value !== undefined && value !== null) === wanted;
    default:
      if (wanted === null) throw refusedWhere(`"${clipped(name)}" cannot be ordered against null`);
      return (value) => compareValues(value, wanted, operator);
  }
}
