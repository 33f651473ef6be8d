import { foldCase } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { groupByTag, groupByType } from '../list-notes/groups.ts';
import { isOpenType } from '../types-in-words.ts';
import { canWrite } from '../write-note/listed.ts';
import type { Completed } from './contract.ts';

/** Longer names are no help to whoever types. */
const LONGEST = 200;

/**
 * What goes on from what was typed: first what starts with it, then what holds it, ignoring case.
 *
 * @example completions(['Compost.md', 'Beds/Compost.md'], 'comp') // ['Compost.md', 'Beds/Compost.md']
 */
export function completions(names: Iterable<string>, typed: string): string[] {
  const wanted = foldCase(typed);
  const starting: string[] = [];
  const holding: string[] = [];
  for (const name of names) {
    const at = foldCase(name).indexOf(wanted);
    if (at === 0) starting.push(name);
    else if (at > 0) holding.push(name);
  }
  return [...starting, ...holding];
}

/** What an argument of a prompt could be, from what this caller sees. */
export function completeArgument(scope: Scope, completed: Completed, typed: string): string[] {
  const names = new Set(NAMES[completed](scope));
  return completions(names, typed).filter((name) => name.length <= LONGEST);
}

const NAMES: Readonly<Record<Completed, (scope: Scope) => string[]>> = {
  name: ({ view }) => view.notes().map(({ name }) => name),
  note: ({ view }) => paths(view),
  place: ({ view }) => [...folders(view), ...paths(view)],
  folder: ({ view }) => folders(view),
  tag: ({ view }) =>
    groupByTag(view.notes())
      .sort(byCount)
      .map(({ name }) => name),
  type: (scope) => {
    const used = groupByType(scope.view.notes()).sort(byCount);
    const ruled = canWrite(scope) ? scope.vault.schema.types.filter((type) => isOpenType(type, scope)) : [];
    return [...ruled, ...used].map(({ name }) => name);
  },
  form: () => ['summary', 'outline', 'draft'],
};

function paths(view: View): string[] {
  return view.notes().map(({ path }: NoteRow) => path);
}

function folders(view: View): string[] {
  return view
    .folders()
    .map(({ path }) => path as string)
    .filter((path) => path !== '');
}

function byCount(a: { readonly name: string; readonly notes: number }, b: typeof a): number {
  return b.notes - a.notes || (a.name < b.name ? -1 : 1);
}
