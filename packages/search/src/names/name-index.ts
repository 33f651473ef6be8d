import type { NoteRow, View } from '@grove/vault';
import { foldName, loosenName } from './fold-name.ts';

/** A longer query (UTF-16 units) is a text and nobody's name. */
const MAX_NAME = 1000;

/**
 * Finds notes by what people call them. It holds the names of every note of the catalog and is asked through
 * a View, so that a hidden note is an absent one; kept in step by deltas, it costs nothing when a note changes.
 *
 * @example names.find(view, 'meeting notes') // the note `Meeting-Notes.md`
 */
export class NameIndex {
  // Most names belong to one note: a bare number is a fifth of a Set's memory.
  readonly #byLooseName = new Map<string, number | Set<number>>();
  readonly #rows = new Map<number, NoteRow>();

  /** Notes whose names are known. */
  get size(): number {
    return this.#rows.size;
  }

  put(row: NoteRow): void {
    if (this.#rows.get(row.id) === row) return;
    this.remove(row.id);
    this.#rows.set(row.id, row);
    for (const key of keysOf(row)) {
      const ids = this.#byLooseName.get(key);
      if (ids === undefined) this.#byLooseName.set(key, row.id);
      else if (typeof ids === 'number') this.#byLooseName.set(key, new Set([ids, row.id]));
      else ids.add(row.id);
    }
  }

  remove(id: number): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    for (const key of keysOf(row)) {
      const ids = this.#byLooseName.get(key);
      if (ids instanceof Set) ids.delete(id);
      if (ids === id || (ids instanceof Set && ids.size === 0)) this.#byLooseName.delete(key);
    }
  }

  /**
   * The View's notes of this name (title, file name or alias, in that order, then by path): those spelt so
   * but for case, Unicode form, blanks and `.md`; when there is none, those that differ in punctuation too.
   */
  find(view: View, query: string): readonly NoteRow[] {
    if (query.length > MAX_NAME || foldName(query) === '') return [];
    const found = this.#byLooseName.get(keyOf(query)) ?? [];
    const rows = [...(typeof found === 'number' ? [found] : found)]
      .map((id) => view.byId(id))
      .filter((row) => row !== null);
    const strict = ordered(rows, foldName(query), foldName);
    return strict.length > 0 ? strict : ordered(rows, keyOf(query), keyOf);
  }
}

/** What a note is called, most telling first. */
export function namesOf(row: NoteRow): readonly string[] {
  return [row.title, row.name, ...row.aliases];
}

function keysOf(row: NoteRow): ReadonlySet<string> {
  return new Set(namesOf(row).map(keyOf));
}

function keyOf(name: string): string {
  return loosenName(name) ?? foldName(name);
}

/** The rows that have the name; judged again, for a row of the View may be newer than the entry. */
function ordered(rows: readonly NoteRow[], key: string, fold: (name: string) => string): readonly NoteRow[] {
  return rows
    .map((row) => ({ row, place: namesOf(row).findIndex((name) => fold(name) === key) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => Math.min(a.place, 2) - Math.min(b.place, 2) || (a.row.path < b.row.path ? -1 : 1))
    .map(({ row }) => row);
}
