import { foldTitle, nearest } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';

/** Names of a View, and what was found to be near others. */
interface NamesOfView {
  readonly names: readonly string[];
  readonly byName: ReadonlyMap<string, NoteRow>;
  readonly found: Map<string, readonly NoteRow[]>;
}

/** Names without letters are days and numbers: what is spelt like them is another day. */
const IS_NAME = /\p{L}{2}/u;

/** Up to `count` notes whose file name, title or alias is likely what was meant, the nearest first. */
export function nearlyNamed(view: View, target: string, count: number): readonly NoteRow[] {
  const wanted = target.slice(target.lastIndexOf('/') + 1);
  if (!IS_NAME.test(wanted)) return [];
  const { names, byName, found } = namesOf(view);
  const key = `${count} ${foldTitle(wanted)}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const rows = nearest(wanted, names, count * 3).flatMap((name) => byName.get(name) ?? []);
  const near = [...new Set(rows)].slice(0, count);
  found.set(key, near);
  return near;
}

const namesOf = perGeneration((view: View): NamesOfView => {
  const byName = new Map<string, NoteRow>();
  for (const row of view.notes())
    for (const name of [row.name, row.title, ...row.aliases]) if (!byName.has(name)) byName.set(name, row);
  return { names: [...byName.keys()], byName, found: new Map() };
});
