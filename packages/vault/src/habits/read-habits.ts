import { type FolderPath, foldCase, folderOf, isWithin, noteName } from '@grove/core';
import type { NoteRow } from '../note-row.ts';
import { isEmptyValue } from '../settings/field-kinds.ts';
import type { View } from '../view.ts';
import { fieldHabits } from './field-habits.ts';
import { HABIT, type Habits, type TypeHabit } from './habits.ts';
import { journalHabit } from './journal-habit.ts';

/** A type of fewer notes has no habits yet. */
const LEAST = 3;
const MOST_TYPES = 40;
/** A longer type is rather a sentence. */
const LONGEST_NAME = 60;
const TEMPLATES = /(?:^|\/)_?templates?(?:\/|$)/i;

/**
 * What the notes of a View have in common, by type: where they lie, which properties at least 80% of them have and of
 * which kind, whether their tags say their type; and how notes of days are named.
 *
 * @param all the notes to go by, where not all of the View are needed: each costs about 50 µs
 */
export function readHabits(view: View, all: readonly NoteRow[] = view.notes()): Habits {
  const isTemplate = ({ path }: NoteRow): boolean => TEMPLATES.test(folderOf(path));
  const rows = all.filter((row) => !isTemplate(row));
  const templates = all.filter(isTemplate);
  const types = [...byType(rows).values()].sort(
    (a, b) => b.rows.length - a.rows.length || (a.name < b.name ? -1 : 1),
  );
  const frequent = types.filter((type) => type.rows.length >= LEAST).slice(0, MOST_TYPES);
  const habits = frequent.map((type) => typeHabit(type, { view, rows, templates }));
  const typed = habits.reduce((sum, { notes }) => sum + notes, 0);
  const tagged = habits.reduce((sum, habit) => sum + habit.tagged, 0);
  return {
    notes: rows.length,
    types: habits,
    untyped: otherProperty(rows, view),
    seldom: types.filter((type) => !frequent.includes(type)).map(({ name }) => name),
    tagsIncludeType: typed > 0 && tagged >= typed * HABIT,
    journal: journalHabit(rows, view),
  };
}

/** What vaults sort notes by in the place of a type. */
const IN_PLACE_OF_TYPE = ['categories', 'category'];

function otherProperty(rows: readonly NoteRow[], view: View): Habits['untyped'] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.type !== null) continue;
    const keys = Object.entries(view.properties(row)).filter(([, value]) => !isEmptyValue(value));
    const property = IN_PLACE_OF_TYPE.find((name) => keys.some(([key]) => foldCase(key) === name));
    if (property !== undefined) counts.set(property, (counts.get(property) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most === undefined || most[1] < LEAST ? null : { property: most[0], notes: most[1] };
}

interface TypeInUse {
  readonly name: string;
  readonly rows: NoteRow[];
}

function byType(rows: readonly NoteRow[]): Map<string, TypeInUse> {
  const types = new Map<string, TypeInUse>();
  for (const row of rows) {
    const name = row.type?.trim() ?? '';
    if (name === '' || name.length > LONGEST_NAME) continue;
    const type = types.get(foldCase(name)) ?? { name, rows: [] };
    type.rows.push(row);
    types.set(foldCase(name), type);
  }
  return new Map([...types].map(([folded, { rows: own }]) => [folded, { name: usualName(own), rows: own }]));
}

/** The spelling that most of the notes have. */
function usualName(rows: readonly NoteRow[]): string {
  const counts = new Map<string, number>();
  for (const { type } of rows) counts.set(type?.trim() ?? '', (counts.get(type?.trim() ?? '') ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

interface Surroundings {
  readonly view: View;
  readonly rows: readonly NoteRow[];
  readonly templates: readonly NoteRow[];
}

function typeHabit({ name, rows: own }: TypeInUse, { view, rows, templates }: Surroundings): TypeHabit {
  return {
    name,
    notes: own.length,
    folder: folderHabit(own, rows),
    tagged: own.filter((row) => isTagged(row, name)).length,
    fields: fieldHabits(
      own.map((row) => view.properties(row)),
      view.dialect,
    ),
    template: templateOf(name, templates),
  };
}

/** The innermost folder, the top aside, that holds 80% of a type's notes. */
function folderHabit(own: readonly NoteRow[], rows: readonly NoteRow[]): TypeHabit['folder'] {
  const counts = new Map<FolderPath, number>();
  for (const { path } of own)
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const [best] = [...counts]
    .filter(([, notes]) => notes >= own.length * HABIT)
    .sort(([a], [b]) => b.length - a.length);
  if (best === undefined) return null;
  const [path, notes] = best;
  const inside = rows.filter((row) => isWithin(row.path, path)).length;
  const only = notes >= inside * HABIT;
  // A folder of most of the vault, such as Logseq's pages, says nothing about one type.
  return only || inside < rows.length / 2 ? { path, notes, only } : null;
}

function isTagged({ tags }: NoteRow, type: string): boolean {
  const wanted = foldCase(type.replaceAll(/[\s#,]+/g, '-'));
  return tags.some((tag) => foldCase(tag) === wanted || foldCase(tag).startsWith(`${wanted}/`));
}

function templateOf(type: string, templates: readonly NoteRow[]): string | null {
  const folded = foldCase(type);
  const found =
    templates.find((row) => foldCase(row.type ?? '') === folded) ??
    templates.find((row) => foldCase(noteName(row.path)).replace(/[ _-]*template$/, '') === folded);
  return found?.path ?? null;
}
