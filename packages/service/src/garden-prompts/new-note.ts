import { foldCase, stripEnd, type VaultPath } from '@grove/core';
import type { FieldRule, NoteTypeRule } from '@grove/vault';
import { tagOfType } from '@grove/writes';
import type { Scope } from '../contract.ts';
import { isOpenType } from '../types-in-words.ts';
import type { NewNote } from './contract.ts';
import { habitsOf } from './known-habits.ts';

/** A new note as far as nothing is known of where it goes. */
export const ANY_NOTE: NewNote = {
  path: 'FOLDER/NAME.md',
  frontmatter: { KEY: 'VALUE' },
  example: null,
};

/** How a new note of this type begins here: by the owner's rules, else as others of the type do. */
export function newNoteOf(scope: Scope, type: string | null, folder: string | null): NewNote {
  const rule = type === null ? null : openRule(scope, type);
  const habit = type === null ? null : habitOf(scope, type);
  const place = folder ?? rule?.folders[0] ?? habit?.folder?.path ?? null;
  return {
    path: place === null ? anyPlace(scope) : inFolder(place),
    frontmatter: rule === null ? frontmatterLike(scope, type) : frontmatterOf(rule),
    example: seen(scope, rule?.template ?? null) ?? habit?.template ?? null,
  };
}

/** The rule for a type, where this caller may hear of it. */
function openRule(scope: Scope, type: string): NoteTypeRule | null {
  const folded = foldCase(type.trim());
  const rule = scope.vault.schema.types.find(({ name }) => foldCase(name) === folded);
  return rule !== undefined && isOpenType(rule, scope) ? rule : null;
}

function habitOf({ view }: Scope, type: string) {
  const folded = foldCase(type.trim());
  return habitsOf(view).types.find(({ name }) => foldCase(name) === folded) ?? null;
}

function seen({ view }: Scope, path: string | null): string | null {
  return path !== null && view.get(path as VaultPath) !== null ? path : null;
}

/** Logseq has one folder for pages. */
function anyPlace({ view }: Scope): string {
  const found = view.resolve('NAME');
  return (found.kind === 'none' ? found.page : null) ?? ANY_NOTE.path;
}

function inFolder(folder: string): string {
  const trimmed = stripEnd(folder.trim().replace(/^\/+/, ''), '/');
  return trimmed === '' ? 'NAME.md' : `${trimmed}/NAME.md`;
}

function frontmatterOf({ name, tagged, fields }: NoteTypeRule): NewNote['frontmatter'] {
  return {
    type: name,
    ...(tagged ? { tags: [tagOfType(name)] } : {}),
    ...Object.fromEntries(
      fields.filter(({ required }) => required).map((field) => [field.name, standIn(field)]),
    ),
  };
}

function standIn({ kind, values }: FieldRule): string {
  return kind === 'enum' ? values.slice(0, 5).join('|') : kind.toUpperCase();
}

function frontmatterLike(scope: Scope, type: string | null): NewNote['frontmatter'] {
  if (type === null) return ANY_NOTE.frontmatter;
  const fields = habitOf(scope, type)?.fields ?? [];
  return { type: type.trim(), ...Object.fromEntries(fields.slice(0, 6).map(({ name }) => [name, 'VALUE'])) };
}
