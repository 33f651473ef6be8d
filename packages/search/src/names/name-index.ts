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

  has(id: number): boolean {
    return this.#rows.has(id);
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
   * but for case, Unicode form, blanks and `.md`; when there is none, unless `strict`, those that differ in
   * punctuation too.
   */
  find(view: View, query: string, strict = false): readonly NoteRow[] {
    if (query.length > MAX_NAME || foldName(query) === '') return [];
    const found = this.#byLooseName.get(keyOf(query));
    const rows = found === undefined ? [] : rowsOf(view, found);
    const alike = ordered(rows, foldName(query), foldName);
    return alike.length > 0 || strict ? alike : ordered(rows, keyOf(query), keyOf);
  }

  /** The View's notes one of whose names holds the text, by path. Punctuation counts only where nothing else is. */
  containing(view: View, text: string): readonly NoteRow[] {
    const part = text.length > MAX_NAME ? null : loosenName(text);
    const rows = part === null ? holdingSigns(view, text.trim()) : this.#holdingWords(view, part);
    return rows.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The folded names with the View's notes that bear them, for comparing with. */
  *folded(view: View): Generator<{ readonly name: string; readonly rows: readonly NoteRow[] }> {
    for (const [name, found] of this.#byLooseName) yield { name, rows: rowsOf(view, found) };
  }

  #holdingWords(view: View, part: string): NoteRow[] {
    const rows = new Map<number, NoteRow>();
    for (const [name, found] of this.#byLooseName) {
      if (name.includes(part)) for (const row of rowsOf(view, found)) rows.set(row.id, row);
    }
    return [...rows.values()];
  }
}

function holdingSigns(view: View, signs: string): NoteRow[] {
  if (signs === '' || signs.length > MAX_NAME) return [];
  return view.notes().filter((row) => namesOf(row).some((name) => name.includes(signs)));
}

function rowsOf(view: View, found: number | ReadonlySet<number>): NoteRow[] {
  return [...(typeof found === 'number' ? [found] : found)].flatMap((id) => view.byId(id) ?? []);
}

/** What a note is called, most telling first. */
function namesOf(row: NoteRow): readonly string[] {
  return [row.title, row.name, ...row.aliases];
}

function keysOf(row: NoteRow): Iterable<string> {
  const { title, name, aliases } = row;
  if (aliases.length > 0) return new Set(namesOf(row).map(keyOf));
  const [ofTitle, ofName] = [keyOf(title), keyOf(name)];
  return ofName === ofTitle ? [ofTitle] : [ofTitle, ofName];
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
