import { GroveError } from '@grove/core';
import {
  editFrontmatter,
  editTags,
  editText,
  insertText,
  type NoteText,
  newNoteText,
  replaceSection,
  writeWhole,
} from '@grove/markdown';
import type { NoteOperation } from './contract.ts';

/** What an operation makes of a note's text. */
export interface ChangedText {
  readonly text: string;
  /** Nothing was to do. */
  readonly alreadyThere: boolean;
  readonly remarks: readonly string[];
  readonly matches?: readonly number[];
  readonly applied?: readonly string[];
  readonly skipped?: readonly string[];
}

/** What stands round a change. */
export interface ChangeSetting {
  readonly path: string;
  /** `HH:MM`, for appends that want the time. */
  readonly time: string;
}

/**
 * The text that an operation leaves behind. Bytes that it does not name stay as they are.
 *
 * @param note the note as it is, or as its template makes it; null where there is none
 * @throws GroveError what the edits of `@grove/markdown` throw, `not_implemented`
 */
export function changeText(
  operation: NoteOperation,
  note: NoteText | null,
  setting: ChangeSetting,
): ChangedText {
  switch (operation.action) {
    case 'write':
      return write(operation, note);
    case 'append':
    case 'prepend':
      return insert(operation, operation.action, note, setting);
    case 'replace':
      return replaceSection(there(note, setting), {
        section: operation.section ?? '',
        content: operation.content ?? '',
        subsections: operation.subsections,
        path: setting.path,
      });
    case 'edit':
      return editText(there(note, setting), {
        edits: operation.edits,
        section: operation.section,
        path: setting.path,
      });
    case 'frontmatter':
      return editFrontmatter(there(note, setting), {
        set: operation.set ?? {},
        unset: operation.unset,
        path: setting.path,
      });
    case 'tags':
      return tags(operation, there(note, setting));
    default:
      throw notYet(operation.action);
  }
}

function write({ content, frontmatter, overwrite }: NoteOperation, note: NoteText | null): ChangedText {
  return writeWhole(note, { content: content ?? note?.text ?? '', frontmatter, overwrite });
}

function insert(
  operation: NoteOperation,
  at: 'append' | 'prepend',
  note: NoteText | null,
  { path, time }: ChangeSetting,
): ChangedText {
  const { section, repeat, createSection, subsections } = operation;
  const change = {
    at,
    section,
    content: operation.content ?? '',
    timestamp: operation.timestamp ? time : null,
    repeat,
    createSection,
    subsections: subsections ?? true,
    path,
  };
  return note === null ? newNote(change) : insertText(note, change);
}

function tags({ add, remove, location }: NoteOperation, note: NoteText): ChangedText {
  return editTags(note, { add, remove, location });
}

function there(note: NoteText | null, { path }: ChangeSetting): NoteText {
  if (note === null) throw new GroveError('note_not_found', { path });
  return note;
}

/** What to do instead of an action that is not there yet. */
export function notYet(action: 'move' | 'delete' | 'restore'): GroveError {
  const instead = {
    move: 'Ask the owner to move the note in their own editor; its links are mended there.',
    delete: 'Ask the owner to delete the note in their own editor.',
    restore:
      'Ask the owner to take the note back from the history of git, and write its text with action write.',
  };
  return new GroveError('not_implemented', { feature: `The action ${action}`, instead: instead[action] });
}
