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
