import type { NoteRow } from '@grove/vault';
import { type Asks, type Field, findField, type NoteFields, noteField } from '../fields.ts';
import type { ReadName } from './operators.ts';
import { readPath } from './values.ts';

/** The note that a tree is asked about, and where its fields come from. */
export class AskedNote {
  readonly row: NoteRow;
  readonly fields: NoteFields;

  constructor(row: NoteRow, fields: NoteFields) {
    this.row = row;
    this.fields = fields;
  }
}

/** A name of a tree: how to read it, and the field of the note where it is one. */
export interface Name {
  readonly read: ReadName;
  readonly field: Field | null;
  readonly asks: Asks;
  /** True where a note has the same under it as long as its row stands; an item has what its list has. */
  readonly isFixed: boolean;
}

/**
 * What a name means `depth` lists deep: outside of lists a field of the note, with a path into it; inside one, a path
 * into the item. Each `../../` leads out of one list, as json-logic-engine has it. Null for what leads nowhere.
 */
export function readName(name: string, depth: number): Name | null {
  const climbs = /^(?:\.\.\/\.\.\/)*/.exec(name)?.[0].length ?? 0;
  const levels = climbs / '../../'.length;
  const path = name.slice(climbs);
  if (levels > depth || path.startsWith('../')) return null;
  if (levels === depth && path === '') return null;
  const { field, asks, isFixed, read } = levels === depth ? readOfNote(path) : readOfItem(path);
  return { field, asks, isFixed, read: (context, above) => read(climb(context, above, levels)) };
}

/** What is around a list is kept as `[items, context around it, what is around that]`. */
function climb(context: unknown, above: unknown, levels: number): unknown {
  let around = above as readonly unknown[];
  let found = context;
  for (let level = 0; level < levels; level += 1) {
    found = around[1];
    around = around[2] as readonly unknown[];
  }
  return found;
}

/** A name whose context is known. */
type NameThere = Omit<Name, 'read'> & { readonly read: (context: unknown) => unknown };

function readOfItem(path: string): NameThere {
  const keys = path === '' ? [] : path.split('.');
  return { field: null, asks: 'row', isFixed: true, read: (item) => readPath(item, keys) };
}

function readOfNote(path: string): NameThere {
  const ofNote = (read: (note: AskedNote) => unknown) => (note: unknown) =>
    note instanceof AskedNote ? read(note) : undefined;
  if (path === 'frontmatter' || path === 'properties')
    return {
      field: null,
      asks: 'vault',
      isFixed: true,
      read: ofNote(({ row, fields }) => fields.properties(row)),
    };
  const [first = '', ...keys] = path.replace(/^stat\./, '').split('.');
  const own = noteField(first);
  const field = own ?? findField(path);
  const inside = own === null ? [] : keys;
  return {
    field: inside.length > 0 ? null : field,
    asks: field.asks,
    isFixed: field.isFixed,
    read: ofNote(({ row, fields }) => {
      const value = field.read(row, fields);
      if (field.kind === 'time' && typeof value === 'number') return readPath(new Date(value), inside);
      return inside.length === 0 ? value : readPath(value, inside);
    }),
  };
}
