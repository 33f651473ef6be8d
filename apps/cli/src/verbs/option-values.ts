import { InvalidArgumentError } from 'commander';
import { commaList } from '../comma-list.ts';

/** For an option that may repeat: the values in order. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** For an option that may repeat and takes several values with commas: the values in order. */
export function collectList(value: string, before: readonly string[]): readonly string[] {
  return [...before, ...commaList(value)];
}

/**
 * For an option whose value is a list with commas: all lists it was given as one, so that a later one takes nothing of an
 * earlier one away. One that names nothing stays for its reader to refuse.
 */
export function joinLists(value: string, before?: string): string {
  const lists = before === undefined ? [value] : [before, value];
  return lists.find((list) => commaList(list).length === 0) ?? lists.join(',');
}

/** A whole number from 1. Throws commander's error for a value that is none. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

/** The entries that have a value. */
export function given(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
