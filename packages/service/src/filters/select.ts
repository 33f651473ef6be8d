import { foldCase, foldTag, nearest, Slices } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { requireMoment } from './dates.ts';
import type { Asks } from './fields.ts';
import { folderFilter } from './folders.ts';
import { judgeNotes } from './judge-notes.ts';
import { momentsOf } from './note-fields.ts';
import type { NoteFilters } from './parameters.ts';
import { matchesTag, tagPredicate } from './tags.ts';
import { type Comparison, compileWhere } from './where.ts';

/** Filters, compiled once against a View. */
export interface CompiledFilters {
  /** True when no filter was given. */
  readonly everything: boolean;
  /** True where files must be read to judge notes. */
  readonly readsTexts: boolean;
  /** A promise only where the note's text must be read. Throws `bad_filter` where that takes too much work. */
  readonly matches: (row: NoteRow) => boolean | Promise<boolean>;
  /** Which filter leaves the note out, or null: for `why`. */
  readonly refusedBy: (row: NoteRow) => Promise<string | null>;
  readonly remarks: readonly string[];
}

interface Step {
  readonly name: string;
  readonly matches: (row: NoteRow) => boolean | Promise<boolean>;
}

/**
 * Compiles the filters of a call: first what the row alone answers, then times, then what more must be asked for.
 *
 * @throws GroveError `bad_filter`, `bad_path`, `bad_regex`
 */
export async function compileFilters(scope: Scope, filters: NoteFilters): Promise<CompiledFilters> {
  const { view } = scope;
  const steps: Step[] = [];
  const remarks: string[] = [];
  const add = (name: string, matches: Step['matches'] | null): void => {
    if (matches !== null) steps.push({ name, matches });
  };
  if (filters.folders.length > 0) {
    const folders = folderFilter(view, filters.folders);
    add('folders', folders.predicate);
    remarks.push(...folders.remarks);
  }
  add('tags', tagPredicate(filters.tags));
  add('types', typePredicate(filters.types));
  const where =
    filters.where === null ? [] : await compileWhere(filters.where, momentsOf(scope), scope.patterns);
  const asking = (asks: Asks): readonly Comparison[] => where.filter((part) => part.asks === asks);
  add('where', allHold(scope, asking('row')));
  const here = { now: scope.clock.now(), zone: scope.vault.zone };
  if (filters.after !== null) {
    const from = requireMoment('after', filters.after, here);
    add('after', (row) => view.times(row).modified >= from);
  }
  if (filters.before !== null) {
    const until = requireMoment('before', filters.before, here);
    add('before', (row) => view.times(row).modified < until);
  }
  add('where', allHold(scope, asking('vault')));
  add('where', allHold(scope, asking('text')));
  return {
    everything: steps.length === 0,
    readsTexts: asking('text').length > 0,
    matches: (row) => passes(steps, row),
    refusedBy: async (row) => {
      for (const step of steps) if (!(await step.matches(row))) return step.name;
      return null;
    },
    remarks,
  };
}

/** A promise from the first step that makes one on. */
function passes(steps: readonly Step[], row: NoteRow): boolean | Promise<boolean> {
  for (let at = 0; at < steps.length; at += 1) {
    const verdict = steps[at]!.matches(row);
    if (verdict === false) return false;
    if (verdict !== true) return verdict.then((isTrue) => isTrue && passes(steps.slice(at + 1), row));
  }
  return true;
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
    if (view.byId(row.id) !== null) {
      const verdict = filters.matches(row);
      if (verdict === true || (verdict !== false && (await verdict))) selected.push(row);
    }
    if (slices.spent) await slices.rest();
  }
  // As they are now: reading one may have shown that it changed.
  return selected.flatMap((row) => view.byId(row.id) ?? []);
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

function allHold(scope: Scope, comparisons: readonly Comparison[]): Step['matches'] | null {
  if (comparisons.length === 0) return null;
  return judgeNotes(scope, (row, fields) =>
    comparisons.every((comparison) => comparison.matches(row, fields)),
  );
}
