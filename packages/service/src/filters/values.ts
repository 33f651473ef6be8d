import { foldCase, foldTag } from '@grove/core';
import type { FieldKind } from './fields.ts';
import { matchesTag } from './tags.ts';

/** Equality as people mean it: case does not count, `"3"` is 3, a list equals what is in it. */
export function equalValues(value: unknown, wanted: unknown, kind: FieldKind): boolean {
  if (wanted === null) return value === null || value === undefined;
  if (Array.isArray(value)) return value.some((item) => equalValues(item, wanted, kind));
  if (value === null || value === undefined || typeof value === 'object') return false;
  if (kind === 'tag') return matchesTag(String(value), foldTag(String(wanted)));
  const numbers = asNumbers(value, wanted);
  if (numbers !== null) return numbers[0] === numbers[1];
  return fold(value) === fold(wanted);
}

/** A text that holds another, or a list that holds an equal item. */
export function containsValue(value: unknown, wanted: unknown, kind: FieldKind): boolean {
  if (Array.isArray(value)) return value.some((item) => equalValues(item, wanted, kind));
  if (value === null || value === undefined || typeof value === 'object' || wanted === null) return false;
  return fold(value).includes(fold(wanted));
}

/** Order: numbers by value, everything else as text, so that ISO dates order by time. */
export function compareValues(value: unknown, wanted: unknown, operator: '<' | '<=' | '>' | '>='): boolean {
  if (Array.isArray(value)) return value.some((item) => compareValues(item, wanted, operator));
  if (value === null || value === undefined || typeof value === 'object') return false;
  const [left, right] = asNumbers(value, wanted) ?? [fold(value), fold(wanted)];
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function asNumbers(a: unknown, b: unknown): [number, number] | null {
  const left = asNumber(a);
  const right = asNumber(b);
  return left === null || right === null ? null : [left, right];
}

function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  // The length comes first: values are texts of any length, from notes as well.
  if (typeof value !== 'string' || value.length > 30) return null;
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(value) ? Number(value) : null;
}

function fold(value: unknown): string {
  return foldCase(String(value)).trim();
}
