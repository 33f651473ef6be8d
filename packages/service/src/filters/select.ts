import { foldCase, foldTag, nearest, Slices } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { parseMoment, requireMoment } from './dates.ts';
import type { NoteFields } from './fields.ts';
import { folderFilter } from './folders.ts';
import type { NoteFilters } from './parameters.ts';
import { matchesTag, tagPredicate } from './tags.ts';
import { type Comparison, compileWhere } from './where.ts';

/** Filters, compiled once against a View. */
export interface CompiledFilters {
  /** True when no filter was given. */
  readonly everything: boolean;
  readonly matches: (row: NoteRow) => boolean;
  /** Which filter leaves the note out, or null: for `why`. */
  readonly refusedBy: (row: NoteRow) => string | null;
  readonly remarks: readonly string[];
}

interface Step {
  readonly name: string;
  readonly matches: (row: NoteRow) => boolean;
}

/**
 * Compiles the filters of a call: first what the row alone answers, then times, then frontmatter.
 *
 * @throws GroveError `bad_filter`, `bad_path`, `not_implemented`
 */
export function compileFilters(scope: Scope, filters: NoteFilters): CompiledFilters {
  const { view } = scope;
  const steps: Step[] = [];
  const remarks: string[] = [];
  const add = (name: string, matches: ((row: NoteRow) => boolean) | null): void => {
    if (matches !== null) steps.push({ name, matches });
  };
  if (filters.folders.length > 0) {
    const folders = folderFilter(view, filters.folders);
    add('folders', folders.predicate);
    remarks.push(...folders.remarks);
  }
  add('tags', tagPredicate(filters.tags));
  add('types', typePredicate(filters.types));
  const here = { now: scope.clock.now(), zone: scope.vault.zone };
  const where = filters.where === null ? [] : compileWhere(filters.where, (text) => parseMoment(text, here));
  const fields = fieldsOf(scope);
  addComparisons(
    fields,
    where.filter((comparison) => !comparison.needsDetails),
    add,
  );
  if (filters.after !== null) {
    const from = requireMoment('after', filters.after, here);
    add('after', (row) => view.times(row).modified >= from);
  }
  if (filters.before !== null) {
    const until = requireMoment('before', filters.before, here);
    add('before', (row) => view.times(row).modified < until);
  }
  addComparisons(
    fields,
    where.filter((comparison) => comparison.needsDetails),
    add,
  );
  return {
    everything: steps.length === 0,
    matches: (row) => steps.every((step) => step.matches(row)),
    refusedBy: (row) => steps.find((step) => !step.matches(row))?.name ?? null,
    remarks,
  };
}

/**
 * Members that pass, ordered by path. Lets other work in between, since a vault may hold tens of thousands; what left
 * the View meanwhile is left out.
 */
export async function selectRows(view: View, filters: CompiledFilters): Promise<readonly NoteRow[]> {
  const rows = view.notes();
  if (filters.everything) return rows;
  const selected: NoteRow[] = [];
  const slices = new Slices();
  for (const row of rows) {
    if (view.byId(row.id) !== null && filters.matches(row)) selected.push(row);
    if (slices.spent) await slices.rest();
  }
  return selected.filter((row) => view.byId(row.id) !== null);
}

/** What to say when tags or types left nothing: which of them no note has, and what is near. */
export function unknownNames(view: View, filters: NoteFilters): readonly string[] {
  const remarks: string[] = [];
  const tags = new Set(view.notes().flatMap((row) => row.tags.map(foldTag)));
  for (const tag of filters.tags.filter((name) => !name.startsWith('-')).map(foldTag))
    if (![...tags].some((own) => matchesTag(own, tag))) remarks.push(noNote('tag', tag, [...tags]));
  const types = new Set(view.notes().flatMap((row) => (row.type === null ? [] : [foldType(row.type)])));
  for (const type of filters.types.map(foldType))
    if (!types.has(type)) remarks.push(noNote('type', type, [...types]));
  return remarks;
}

function noNote(what: 'tag' | 'type', name: string, known: readonly string[]): string {
  const near = nearest(name, known, 3);
  const hint = near.length === 0 ? '' : ` Near: ${near.map((own) => `"${own}"`).join(', ')}.`;
  return `No note has the ${what} "${name.slice(0, 100).toWellFormed()}".${hint}`;
}

function typePredicate(types: readonly string[]): ((row: NoteRow) => boolean) | null {
  if (types.length === 0) return null;
  const wanted = new Set(types.map(foldType));
  return (row) => row.type !== null && wanted.has(foldType(row.type));
}

function foldType(type: string): string {
  return foldCase(type).trim();
}

/** The fields of the notes that a scope reaches. */
export function fieldsOf({ view, properties }: Pick<Scope, 'view' | 'properties'>): NoteFields {
  return {
    property: (row, key) => properties.read(view, row, key),
    times: (row) => view.times(row),
  };
}

function addComparisons(
  fields: NoteFields,
  comparisons: readonly Comparison[],
  add: (name: string, matches: (row: NoteRow) => boolean) => void,
): void {
  if (comparisons.length > 0)
    add('where', (row) => comparisons.every((comparison) => comparison.matches(row, fields)));
}
