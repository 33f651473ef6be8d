import { foldCase } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import { type FieldKind, fitsKind, isEmptyValue } from '../settings/field-kinds.ts';
import { type FieldHabit, HABIT } from './habits.ts';

/** So many of the values must fit for a kind to be theirs. */
const FIT = 0.95;
/** A few words that come again and again are a choice. */
const MOST_WORDS = 8;
const LEAST_VALUES = 10;
const LEAST_REPEATS = 4;
const LONGEST_WORD = 40;
/** What tools keep in notes for themselves. */
const OF_TOOLS = /^(?:type|position|cssclass(?:es)?|collapsed)$/i;
/** So many, with names so long, may stand in the file. */
const MOST_FIELDS = 40;
const LONGEST_NAME = 60;
/** The first that fits is the narrowest. */
const KINDS: readonly FieldKind[] = ['boolean', 'number', 'date', 'datetime', 'link'];

/** The properties that at least 80% of these notes have, in the order of the first note that has them. */
export function fieldHabits(
  properties: readonly Readonly<Record<string, unknown>>[],
  dialect: Dialect,
): FieldHabit[] {
  const values = new Map<string, { readonly name: string; readonly all: unknown[] }>();
  for (const note of properties) {
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(note)) {
      const folded = foldCase(name);
      if (name.trim() === '' || OF_TOOLS.test(name) || seen.has(folded) || isEmptyValue(value)) continue;
      seen.add(folded);
      const known = values.get(folded) ?? { name, all: [] };
      known.all.push(value);
      values.set(folded, known);
    }
  }
  const habits = [...values.values()].flatMap(({ name, all }) => {
    if (all.length < properties.length * HABIT || name.length > LONGEST_NAME) return [];
    const kind = kindOf(name, all, dialect);
    return kind === null ? [] : [{ name, ...kind, notes: all.length }];
  });
  return habits.sort((a, b) => b.notes - a.notes).slice(0, MOST_FIELDS);
}

function kindOf(
  name: string,
  all: readonly unknown[],
  dialect: Dialect,
): Pick<FieldHabit, 'kind' | 'values'> | null {
  const fits = (kind: FieldKind): boolean =>
    all.filter((value) => fitsKind(value, kind, [], dialect)).length >= all.length * FIT;
  if (/^tags?$/i.test(name)) return fits('tags') ? { kind: 'tags', values: [] } : null;
  const narrow = KINDS.find(fits);
  if (narrow !== undefined) return { kind: narrow, values: [] };
  if (all.filter(Array.isArray).length >= all.length * FIT) return { kind: 'list', values: [] };
  const words = choiceOf(all);
  if (words !== null) return { kind: 'enum', values: words };
  return fits('text') ? { kind: 'text', values: [] } : null;
}

/** The words that a property is chosen from; null when it is written freely. */
function choiceOf(all: readonly unknown[]): string[] | null {
  const counts = new Map<string, number>();
  for (const value of all) {
    if (typeof value !== 'string' || value.length > LONGEST_WORD) return null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > MOST_WORDS) return null;
  }
  if (counts.size < 2 || all.length < LEAST_VALUES || all.length < counts.size * LEAST_REPEATS) return null;
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
}
