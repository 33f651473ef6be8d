import type { VaultPath } from '@grove/core';
import type { FieldRule, NoteTypeRule } from '@grove/vault';
import { tagOfType } from '@grove/writes';
import { clip, oneLine } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { isOpenType } from '../types-in-words.ts';
import { canWrite } from '../write-note/listed.ts';
import type { HealthAnswer } from './contract.ts';

type Rules = NonNullable<HealthAnswer['rules']>;
type TypeOfRules = NonNullable<Rules['types']>[number];

const TYPES_BYTES = 8 * 1024;
const MOST_PATHS = 20;
const LONGEST_VALUES = 200;

/**
 * What holds for the writes of this caller: what it may do and where, what becomes of notes that it deletes, and the
 * owner's rules by type. Types whose folders it may not write are left out, as templates that it does not see.
 */
export function rulesOf(scope: Scope): Rules {
  const { may, vault, writable } = scope;
  if (!canWrite(scope)) return { may: 'read' };
  const types = vault.schema.types
    .filter((type) => isOpenType(type, scope))
    .map((type) => typeOf(type, scope));
  const told = fillPage(types, TYPES_BYTES).items;
  return {
    may: may.write ? 'write' : 'add',
    ...(writable.writePaths.length === 0 ? {} : { write_paths: writable.writePaths.slice(0, MOST_PATHS) }),
    ...(may.write ? { deletes: vault.deletes } : {}),
    ...(types.length === 0 ? {} : { types: [...told], types_total: types.length }),
  };
}

function typeOf(type: NoteTypeRule, { view }: Scope): TypeOfRules {
  const { name, folders, folderOnly, template, tagged, fields } = type;
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  return {
    type: name,
    ...(folders.length === 0 ? {} : { folders: [...folders], folder_only: folderOnly }),
    ...(template !== null && view.get(template as VaultPath) !== null ? { template } : {}),
    ...(tagged ? { tag: tagOfType(name) } : {}),
    ...(required.length === 0 ? {} : { required: kindsOf(required) }),
    ...(optional.length === 0 ? {} : { optional: kindsOf(optional) }),
  };
}

function kindsOf(fields: readonly FieldRule[]): string[] {
  return fields.map(({ name, kind, values }) =>
    clip(oneLine(`${name}: ${kind === 'enum' ? values.join('|') : kind}`), LONGEST_VALUES),
  );
}

/** The rules as lines of Markdown. */
export function rulesLines({ may, write_paths, deletes, types = [], types_total = 0 }: Rules): string[] {
  if (may === 'read') return [];
  const where = write_paths === undefined ? '' : ` inside ${write_paths.map(oneLine).join(', ')}`;
  const lines = [
    `- You may ${may === 'write' ? 'write' : 'add'}${where}${deletes === undefined ? '' : `; deletes: ${deletes}`}`,
  ];
  if (types.length === 0) return lines;
  const more = types_total - types.length;
  return [
    ...lines,
    '- Types:',
    ...types.map((type) => `  - ${typeLine(type)}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ];
}

function typeLine({ type, folders, folder_only, template, tag, required, optional }: TypeOfRules): string {
  const parts = [
    folders === undefined
      ? null
      : `in ${folders.map((folder) => `${oneLine(folder)}/`).join(' or ')}${folder_only === true ? ', which is for it alone' : ''}`,
    required === undefined ? null : `required ${required.join(', ')}`,
    optional === undefined ? null : `optional ${optional.join(', ')}`,
    tag === undefined ? null : `tag ${oneLine(tag)}`,
    template === undefined ? null : `template ${oneLine(template)}`,
  ].filter((part) => part !== null);
  return `${oneLine(type)}${parts.length === 0 ? '' : `: ${parts.join('; ')}`}`;
}
