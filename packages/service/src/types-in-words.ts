import type { VaultPath } from '@grove/core';
import type { FieldRule, NoteTypeRule, View } from '@grove/vault';
import { mayHearOf, tagOfType } from '@grove/writes';
import { clip, oneLine } from './answers/note-facts.ts';
import type { Scope } from './contract.ts';
import { groupByType } from './list-notes/groups.ts';
import { canWrite } from './write-note/listed.ts';

const LONGEST_ENUM = 60;
const MOST_TYPES = 12;

/**
 * The owner's types with their folders and required fields, for who may write notes of them; `''` when there are none.
 * Folders that this caller may not write are left out with their types.
 *
 * @param longest about so many characters; whole types are left out and counted beyond
 * @example 'person in People/ like Templates/Person.md (born: date; tag person); book (author: link)'
 */
export function typesInWords(scope: Scope, longest: number): string {
  if (!canWrite(scope)) return '';
  const types = scope.vault.schema.types
    .filter((type) => isOpenType(type, scope))
    .map((type) => typeInWords(type, scope));
  const told: string[] = [];
  let length = 0;
  for (const type of types) {
    const shown = clip(oneLine(type), longest);
    length += shown.length + 2;
    if (length > longest && told.length > 0) break;
    told.push(shown);
  }
  const more = types.length - told.length;
  return told.join('; ') + (more === 0 ? '' : `; and ${more} more`);
}

/** True for a type that this caller may hear of: of which it may write notes, where they lie. */
export function isOpenType({ name, folders }: NoteTypeRule, { view, writable }: Scope): boolean {
  if (writable.notes?.admitsType(name) === false) return false;
  return folders.every((folder) => mayHearOf(folder, { view, policy: writable }));
}

function typeInWords({ name, folders, template, fields, tagged }: NoteTypeRule, { view }: Scope): string {
  const place = folders.length === 0 ? '' : ` in ${folders.map((folder) => `${folder}/`).join(' or ')}`;
  const model = template !== null && view.get(template as VaultPath) !== null ? ` like ${template}` : '';
  const required = fields.filter((field) => field.required).map(fieldInWords);
  const parts = [required.join(', '), tagged ? `tag ${tagOfType(name)}` : ''];
  const said = parts.filter((part) => part !== '').join('; ');
  return `${name}${place}${model}${said === '' ? '' : ` (${said})`}`;
}

function fieldInWords({ name, kind, values }: FieldRule): string {
  return `${name}: ${kind === 'enum' ? clip(values.join('|'), LONGEST_ENUM) : kind}`;
}

/** The types that most notes have, the most frequent first; `''` when there are none. */
export function typesInUse(view: View): string {
  const types = groupByType(view.notes()).sort((a, b) => b.notes - a.notes || (a.name < b.name ? -1 : 1));
  return clip(
    types
      .slice(0, MOST_TYPES)
      .map(({ name }) => clip(oneLine(name), 30))
      .join(', '),
    200,
  );
}
