import { GroveError } from '@grove/core';
import {
  type Dialect,
  editFrontmatter,
  editTags,
  editText,
  insertText,
  type NoteText,
  newNoteText,
  type Patience,
  replaceSection,
  type SkippedTag,
  type TagOutcome,
  writeWhole,
} from '@grove/markdown';
import type { NoteOperation } from './contract.ts';
import { mayBeSlow } from './slow-edits.ts';

/** What an operation makes of a note's text. */
export interface ChangedText {
  readonly text: string;
  /** Nothing was to do. */
  readonly alreadyThere: boolean;
  readonly remarks: readonly string[];
  readonly matches?: readonly number[];
  readonly applied?: readonly TagOutcome[];
  readonly skipped?: readonly SkippedTag[];
}

/** What stands round a change. */
export interface ChangeSetting {
  readonly path: string;
  /** Of a note that is not there yet. */
  readonly dialect: Dialect;
  /** `HH:MM`, for appends that want the time. */
  readonly time: string;
  readonly patience: Patience;
  /** Makes of this text what `edit` says, which may take long: see SlowEdits. */
  slowly(text: string, edit: () => Promise<ChangedText>): Promise<ChangedText>;
}

/**
 * The text that an operation leaves behind. Bytes that it does not name stay as they are.
 *
 * @param note the note as it is, or as its template makes it; null where there is none
 * @throws GroveError what the edits of `@grove/markdown` throw
 */
export async function changeText(
  operation: NoteOperation,
  note: NoteText | null,
  setting: ChangeSetting,
): Promise<ChangedText> {
  switch (operation.action) {
    case 'write':
      return write(operation, note, setting);
    case 'append':
    case 'prepend':
      return insert(operation, operation.action, note, setting);
    case 'replace':
      return replaceSection(there(note, setting), {
        section: operation.section ?? '',
        content: operation.content ?? '',
        subsections: operation.subsections,
        overwrite: operation.overwrite,
        path: setting.path,
      });
    case 'edit':
      return await edit(operation, there(note, setting), setting);
    case 'frontmatter':
      return editFrontmatter(there(note, setting), {
        set: operation.set ?? {},
        unset: operation.unset,
        path: setting.path,
      });
    case 'tags':
      return tags(operation, there(note, setting), setting.path);
    default:
      throw new TypeError(`${operation.action} is no change of one note's text`);
  }
}

function write(
  { content, frontmatter, overwrite }: NoteOperation,
  note: NoteText | null,
  { path, dialect }: ChangeSetting,
): ChangedText {
  const body = content ?? note?.text.slice(note.bodyStart) ?? '';
  return writeWhole(note, { content: body, frontmatter, overwrite, path, dialect });
}

function insert(
  { section, content, repeat, createSection, subsections, timestamp }: NoteOperation,
  at: 'append' | 'prepend',
  note: NoteText | null,
  { path, time, dialect }: ChangeSetting,
): ChangedText {
  const text = content ?? '';
  const stamp = timestamp ? time : null;
  if (note === null) {
    if (section !== null && !createSection)
      throw new GroveError(
        'section_not_found',
        { path, section, nearest: [] },
        {
          hint: 'There is no note at that path yet: send create_section to make both.',
        },
      );
    return {
      text: newNoteText({
        content: text,
        frontmatter: null,
        dialect,
        path,
        as: 'append',
        section,
        timestamp: stamp,
      }),
      alreadyThere: false,
      remarks: [],
    };
  }
  return insertText(note, {
    at,
    section,
    content: text,
    timestamp: stamp,
    repeat,
    createSection,
    subsections: subsections ?? true,
    path,
  });
}

async function edit(
  { edits, section }: NoteOperation,
  note: NoteText,
  { path, patience, slowly }: ChangeSetting,
): Promise<ChangedText> {
  const make = (): Promise<ChangedText> => editText(note, { edits, section, path, patience });
  return mayBeSlow(note.text, edits) ? await slowly(note.text, make) : await make();
}

function tags({ add, remove, location }: NoteOperation, note: NoteText, path: string): ChangedText {
  return editTags(note, { add, remove, location, path });
}

function there(note: NoteText | null, { path }: ChangeSetting): NoteText {
  if (note === null) throw new GroveError('note_not_found', { path });
  return note;
}
