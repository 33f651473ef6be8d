import { foldCase, folderOf } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { Group } from './contract.ts';

const MOST_LEVELS = 32;

/** Folders that hold the notes, with the folders above them; each counts what is in it and below. */
export function groupByFolder(rows: readonly NoteRow[]): Group[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (let folder: string = folderOf(row.path); folder !== ''; folder = parentOf(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return asGroups(counts);
}

/** Tags with the tags above nested ones, ignoring case; a note counts once for each. */
export function groupByTag(rows: readonly NoteRow[]): Group[] {
  const counts = new Map<string, { name: string; notes: number }>();
  for (const row of rows) {
    const own = new Map<string, string>();
    for (const tag of row.tags)
      for (const name of levelsOf(tag)) {
        const folded = foldCase(name);
        if (!own.has(folded)) own.set(folded, name);
      }
    for (const [folded, name] of own) {
      const count = counts.get(folded) ?? { name, notes: 0 };
      counts.set(folded, { name: count.name, notes: count.notes + 1 });
    }
  }
  return [...counts.values()];
}

/** A tag with the tags above it, from the top. Only so many: a note can nest one in itself by the thousand. */
function* levelsOf(tag: string): Generator<string> {
  let slash = tag.indexOf('/');
  for (let level = 1; slash >= 0 && level < MOST_LEVELS; level += 1) {
    const name = tag.slice(0, slash);
    // `a//b` lies in `a`; there is no tag `a/`.
    if (name !== '' && !name.endsWith('/')) yield name;
    slash = tag.indexOf('/', slash + 1);
  }
  yield tag;
}

/** Types in use, ignoring case. */
export function groupByType(rows: readonly NoteRow[]): Group[] {
  const counts = new Map<string, { name: string; notes: number }>();
  for (const { type } of rows) {
    if (type === null) continue;
    const folded = foldCase(type);
    const count = counts.get(folded) ?? { name: type, notes: 0 };
    counts.set(folded, { name: count.name, notes: count.notes + 1 });
  }
  return [...counts.values()];
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function asGroups(counts: ReadonlyMap<string, number>): Group[] {
  return [...counts].map(([name, notes]) => ({ name, notes }));
}
