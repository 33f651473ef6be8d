import { folderOf } from '@grove/core';
import type { NoteRow, NoteTimes } from '@grove/vault';

/** How a field's values compare: times as moments, tags with their nested ones, the rest as what they are. */
export type FieldKind = 'value' | 'time' | 'tag';

/** Where a note's fields come from; asked only when a field needs it. */
export interface NoteFields {
  property(row: NoteRow, key: string): unknown;
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

/**
 * A field by its name: one that every note has (also as `stat.size`), else a frontmatter key (also as
 * `frontmatter.due`, and with dots into nested ones).
 */
export function findField(name: string): Field {
  const plain = name.replace(/^stat\./, '');
  const own = Object.hasOwn(ROW_FIELDS, plain) ? ROW_FIELDS[plain] : undefined;
  if (own !== undefined) return own;
  const key = name.replace(/^(?:frontmatter|properties)\./, '');
  return { kind: 'value', needsDetails: true, read: (row, fields) => fields.property(row, key) };
}

function ofRow(read: (row: NoteRow) => unknown): Field {
  return { kind: 'value', needsDetails: false, read };
}
