import { nearest } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';

/** Up to `count` notes of the View whose name, title or alias is near `reference`, by path. */
export function nearestNotes(view: View, reference: string, count: number): readonly string[] {
  const wanted = reference.slice(reference.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  const byName = new Map<string, NoteRow>();
  for (const row of view.notes())
    for (const name of [row.name, row.title, ...row.aliases]) if (!byName.has(name)) byName.set(name, row);
  const paths = nearest(wanted, [...byName.keys()], count * 3).map((name) => byName.get(name)?.path ?? '');
  return [...new Set(paths)].slice(0, count);
}
