import { folderOf } from '@grove/core';
import type { NoteRow, NoteTimes } from '@grove/vault';

/** How a field's values compare: times as moments, tags with their nested ones, the rest as what they are. */
export type FieldKind = 'value' | 'time' | 'tag';

/** Where a note's fields come from; asked only when a field needs it. */
export interface NoteFields {
  property(row: NoteRow, key: string): unknown;
  /** All frontmatter. */
  properties(row: NoteRow): Readonly<Record<string, unknown>>;
  times(row: NoteRow): NoteTimes;
  /** Paths of the notes that this one links to, itself left out. */
  links(row: NoteRow): readonly string[];
  /** Paths of the notes that link to this one, itself left out. */
  backlinks(row: NoteRow): readonly string[];
  /** Notes that it links to and that are not there, by the names it asks for; pictures and other files aside. */
  unresolved(row: NoteRow): readonly string[];
  /** Null where the owner's settings give it none. */
  stage(row: NoteRow): string | null;
  /** The text below the frontmatter. */
  content(row: NoteRow): unknown;
  /** What that text answers; asked of it only where that is not known yet. */
  says(row: NoteRow, question: TextQuestion): TextAnswer;
}

/** Something that is asked of the text of note after note. A row gives the same answer as long as it stands. */
export interface TextQuestion {
  /** What is asked: equal for questions that every text answers alike. */
  readonly key: string;
  /**
   * A regular expression that matches the whole file of every note whose answer is yes: where it does not, nobody has to
   * look. Null where none is known.
   */
  readonly needs: string | null;
  /** Asks a text below its frontmatter, of the note of this row with these fields. */
  readonly ask: (content: string, row: NoteRow, fields: NoteFields) => TextAnswer;
}

export interface TextAnswer {
  readonly isYes: boolean;
  /** Steps that it took, where it cannot be said beforehand; else none. */
  readonly steps: number;
}

/** Thrown where a note's text is asked for and not read yet: by a question, or itself. */
export class TextWanted extends Error {
  readonly question: TextQuestion | null;

  constructor(question: TextQuestion | null) {
    super();
    this.question = question;
  }
}

/** What must be asked for a field, the cheapest first: the row, what the vault keeps of the note, or its file. */
export const ASKS = ['row', 'vault', 'text'] as const;
export type Asks = (typeof ASKS)[number];

/** One field of a note. */
export interface Field {
  readonly kind: FieldKind;
  readonly asks: Asks;
  /** True for a frontmatter key. */
  readonly isProperty: boolean;
  /** True where a row has the same value as long as it stands, whatever becomes of other notes. */
  readonly isFixed: boolean;
  read(row: NoteRow, fields: NoteFields): unknown;
}

const NOTE_FIELDS: Readonly<Record<string, Field>> = {
  path: ofRow((row) => row.path),
  name: ofRow((row) => row.name),
  folder: ofRow((row) => folderOf(row.path)),
  title: ofRow((row) => row.title),
  type: ofRow((row) => row.type),
  tags: { ...ofRow((row) => row.tags), kind: 'tag' },
  aliases: ofRow((row) => row.aliases),
  size: ofRow((row) => row.size),
  words: ofRow((row) => row.words),
  created: { ...ofRow((row, fields) => fields.times(row).created), kind: 'time', isFixed: false },
  modified: { ...ofRow((row, fields) => fields.times(row).modified), kind: 'time', isFixed: false },
  links: ofVault((row, fields) => fields.links(row)),
  backlinks: ofVault((row, fields) => fields.backlinks(row)),
  unresolved: ofVault((row, fields) => fields.unresolved(row)),
  stage: ofVault((row, fields) => fields.stage(row)),
  content: { ...ofRow((row, fields) => fields.content(row)), asks: 'text' },
};

/**
 * A field by its name: one that every note has (also as `stat.size`), else a frontmatter key (also as
 * `frontmatter.due`, and with dots into nested ones).
 */
export function findField(name: string): Field {
  const own = noteField(name.replace(/^stat\./, ''));
  if (own !== null) return own;
  const key = name.replace(/^(?:frontmatter|properties)\./, '');
  return {
    kind: 'value',
    asks: 'vault',
    isProperty: true,
    isFixed: true,
    read: (row, fields) => fields.property(row, key),
  };
}

/** A field that every note has, or null. */
export function noteField(name: string): Field | null {
  return Object.hasOwn(NOTE_FIELDS, name) ? (NOTE_FIELDS[name] ?? null) : null;
}

function ofRow(read: Field['read']): Field {
  return { kind: 'value', asks: 'row', isProperty: false, isFixed: true, read };
}

function ofVault(read: Field['read']): Field {
  return { ...ofRow(read), asks: 'vault', isFixed: false };
}
