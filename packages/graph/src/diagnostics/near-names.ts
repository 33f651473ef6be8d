import { foldTitle, nearest } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';

/** The names of a View, and which of them were found to be near others. */
interface KnownNames {
  readonly names: readonly string[];
  readonly found: Map<string, readonly string[]>;
}

/** Names without letters are days and numbers: what is spelt like them is another day. */
const IS_NAME = /\p{L}{2}/u;

/** One letter of four: what is told is also what a call would write into a note. */
const SLIP = 0.25;

/** Up to `count` notes whose file name, title or alias is likely what was meant, the nearest first. */
export function nearlyNamed(view: View, target: string, count: number): readonly NoteRow[] {
  const wanted = target.slice(target.lastIndexOf('/') + 1);
  if (!IS_NAME.test(wanted)) return [];
  const byName = notesByName(view);
  const { names, found } = knownNames(view, byName);
  const key = `${count} ${foldTitle(wanted)}`;
  const near = found.get(key) ?? nearest(wanted, names, count * 3, { slip: SLIP });
  found.set(key, near);
  return [...new Set(near.flatMap((name) => byName.get(name) ?? []))].slice(0, count);
}

const notesByName = perGeneration((view: View): ReadonlyMap<string, NoteRow> => {
  const byName = new Map<string, NoteRow>();
  for (const row of view.notes())
    for (const name of [row.name, row.title, ...row.aliases]) if (!byName.has(name)) byName.set(name, row);
  return byName;
});

const known = new WeakMap<View, KnownNames>();

/** Comparing names costs far more than seeing that they stayed: few changes touch one. */
function knownNames(view: View, byName: ReadonlyMap<string, NoteRow>): KnownNames {
  const last = known.get(view);
  const names = [...byName.keys()];
  if (last !== undefined && isSame(last.names, names)) return last;
  const fresh = { names, found: new Map() };
  known.set(view, fresh);
  return fresh;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
