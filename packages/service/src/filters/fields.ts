import { folderOf } from '@grove/core';
import type { NoteDetails, NoteRow, NoteTimes } from '@grove/vault';

/** How a field's values compare: times as moments, tags with their nested ones, the rest as what they are. */
export type FieldKind = 'value' | 'time' | 'tag';

/** Where a note's fields come from; asked only when a field needs it. */
export interface NoteFields {
  details(row: NoteRow): NoteDetails;
  times(row: NoteRow): NoteTimes;
}

/** One field of a note. */
export interface Field {
  readonly kind: FieldKind;
  readonly needsDetails: boolean;
  read(row: NoteRow, fields: NoteFields): unknown;
}

const ROW_FIELDS: Readonly<Record<string, Field>> = {
  path: ofRow((row) => row.path),
  name: ofRow((row) => row.name),
  folder: ofRow((row) => folderOf(row.path)),
  title: ofRow((row) => row.title),
  type: ofRow((row) => row.type),
  tags: { kind: 'tag', needsDetails: false, read: (row) => row.tags },
  aliases: ofRow((row) => row.aliases),
  size: ofRow((row) => row.size),
  words: ofRow((row) => row.words),
  created: { kind: 'time', needsDetails: false, read: (row, fields) => fields.times(row).created },
  modified: { kind: 'time', needsDetails: false, read: (row, fields) => fields.times(row).modified },
};

/** Names of the fields that every note has. */
export const ROW_FIELD_NAMES: readonly string[] = Object.keys(ROW_FIELDS);

/**
 * A field by its name: one that every note has (also as `stat.size`), else a frontmatter key (also as
 * `frontmatter.due`, and with dots into nested ones).
 */
export function findField(name: string): Field {
  const plain = name.replace(/^stat\./, '');
  const own = Object.hasOwn(ROW_FIELDS, plain) ? ROW_FIELDS[plain] : undefined;
  if (own !== undefined) return own;
  const key = name.replace(/^(?:frontmatter|properties)\./, '');
  return {
    kind: 'value',
    needsDetails: true,
    read: (row, fields) =>
      row.frontmatterStatus === 'ok' || row.frontmatterStatus === 'none'
        ? readProperty(fields.details(row).properties, key)
        : undefined,
  };
}

/** A property: the exact key, then the key in another case, then a path of keys. */
export function readProperty(properties: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(properties, key)) return properties[key];
  const folded = key.toLowerCase();
  const other = Object.keys(properties).find((name) => name.toLowerCase() === folded);
  if (other !== undefined) return properties[other];
  const dot = key.indexOf('.');
  if (dot <= 0) return undefined;
  const parent = readProperty(properties, key.slice(0, dot));
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return undefined;
  return readProperty(parent as Readonly<Record<string, unknown>>, key.slice(dot + 1));
}

function ofRow(read: (row: NoteRow) => unknown): Field {
  return { kind: 'value', needsDetails: false, read };
}
