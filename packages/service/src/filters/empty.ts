import { Slices } from '@grove/core';
import type { Scope } from '../contract.ts';
import { findField } from './fields.ts';
import { fieldsOf, momentsOf } from './note-fields.ts';
import type { NoteFilters } from './parameters.ts';
import { compileFilters, selectRows, unknownNames } from './select.ts';
import { compileWhere, isLogic } from './where.ts';

const SHOWN_VALUES = 5;
/** Names of a tree that are looked for in all notes. */
const MOST_NAMES = 10;
const LONGEST_VALUE = 40;

/**
 * What to say when filters left no note: which tag, type or field no note has, which values a field has where it was
 * compared with others, and whether only the dates left nothing.
 */
export async function emptyRemarks(scope: Scope, filters: NoteFilters): Promise<readonly string[]> {
  const remarks = [...unknownNames(scope.view, filters)];
  if (filters.where !== null) remarks.push(...(await whereRemarks(scope, filters.where)));
  if (filters.after !== null || filters.before !== null)
    remarks.push(...(await undatedRemarks(scope, filters)));
  return remarks;
}

async function whereRemarks(
  scope: Scope,
  where: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const remarks: string[] = [];
  for (const [name, wanted] of await wantedFields(scope, where)) {
    const values = await commonValues(scope, name);
    if (values.length === 0) remarks.push(`No note has the field "${shorten(name)}".`);
    else if (typeof wanted !== 'object') remarks.push(`Values of "${shorten(name)}": ${values.join(', ')}.`);
  }
  return remarks;
}

/** Fields that a note should have, each with what it is compared with; of JSONLogic what it names, without values. */
async function wantedFields(
  scope: Scope,
  where: Readonly<Record<string, unknown>>,
): Promise<readonly (readonly [string, unknown])[]> {
  if (!isLogic(where))
    return Object.entries(where).filter(([name, wanted]) => wanted !== null && name !== 'content');
  const [logic] = await compileWhere(where, momentsOf(scope), scope.patterns);
  return (logic?.properties ?? []).slice(0, MOST_NAMES).map((name) => [name, {}]);
}

/** Where the dates are what left nothing, how many notes there are at other times. */
async function undatedRemarks(scope: Scope, filters: NoteFilters): Promise<readonly string[]> {
  const undated = await compileFilters(scope, { ...filters, after: null, before: null });
  const { length } = await selectRows(scope.view, undated);
  if (length === 0) return [];
  return [`Without the dates the filters leave ${length === 1 ? '1 note' : `${length} notes`}.`];
}

/** The most frequent values of a field as JSON, those of lists one by one. */
async function commonValues(scope: Scope, name: string): Promise<readonly string[]> {
  const { view } = scope;
  const field = findField(name);
  const fields = fieldsOf(scope);
  const counts = new Map<string, number>();
  const slices = new Slices();
  for (const row of view.notes()) {
    const value = view.byId(row.id) === null ? null : field.read(row, fields);
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) {
        const text = shorten(JSON.stringify(one));
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    if (slices.spent) await slices.rest();
  }
  return [...counts]
    .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
    .slice(0, SHOWN_VALUES)
    .map(([text]) => text);
}

function shorten(text: string): string {
  return text.length <= LONGEST_VALUE
    ? text.toWellFormed()
    : `${text.slice(0, LONGEST_VALUE)}…`.toWellFormed();
}
