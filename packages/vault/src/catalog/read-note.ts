import { blobId, foldCase, noteName, type VaultPath } from '@grove/core';
import type { NoteText, Task } from '@grove/markdown';
import type { FileFacts } from '../disk/stat-key.ts';
import type { NoteDetails, NoteTask } from '../note-row.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { JudgedNote } from '../view.ts';
import type { CatalogRow } from './catalog-row.ts';
import { claimedTimes } from './claimed-times.ts';
import { isConflictCopy } from './conflict-copy.ts';
import { otherLabels } from './other-labels.ts';
import { pageName } from './page-name.ts';
import { saysPrivate } from './says-private.ts';

/** A note as its bytes say it, before the catalog gives it an id. */
export interface NoteReading {
  readonly row: Omit<CatalogRow, 'id' | 'sequence'>;
  readonly details: NoteDetails;
  readonly note: NoteText;
}

/** One file that was read, with its text not yet parsed. */
export interface FileReading {
  readonly path: VaultPath;
  readonly diskPath: string;
  readonly bytes: Uint8Array;
  readonly facts: FileFacts;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
  readonly contentHash: string;
}

/** What is kept of a task's text, in UTF-16 units: more than a list shows, and not a whole paragraph. */
const LONGEST_TASK = 500;

/** What the catalog keeps of a note that was read and parsed. */
export function describeNote(file: FileReading, note: NoteText, settings: VaultSettings): NoteReading {
  const fileName = noteName(file.path);
  const name =
    note.dialect === 'logseq'
      ? pageName(fileName, file.path, note.frontmatter.data, settings.logseq)
      : fileName;
  const row: NoteReading['row'] = {
    diskPath: file.diskPath,
    name,
    title: note.title ?? name,
    ...judgedNote(file.path, note),
    aliases: note.aliases,
    hasTasks: note.tasks.length > 0,
    size: file.bytes.byteLength,
    words: note.words,
    contentHash: file.contentHash,
    blob: blobId(file.bytes),
    stat: file.facts.key,
    claimed: claimedTimes(note.frontmatter.data),
    file: { created: file.facts.created, modified: file.facts.modified },
    readAt: file.readAt,
    blockIds: note.dialect === 'logseq' ? note.blocks.map((block) => block.id) : [],
  };
  return { row, note, details: describeDetails(note) };
}

/** What a note of this text at this path would be judged by: as {@link describeNote} has it, before anything is written. */
export function judgedNote(path: VaultPath, note: NoteText): JudgedNote {
  const { types: otherTypes, tags: otherTags } = otherLabels(note);
  return {
    path,
    otherTypes,
    otherTags,
    type: note.type,
    tags: distinctTags(note),
    frontmatterStatus: note.frontmatter.status,
    private: saysPrivate(note),
    conflictCopy: isConflictCopy(noteName(path)),
  };
}

/** The part of a note that is kept out of memory. */
export function describeDetails(note: NoteText): NoteDetails {
  return {
    properties: note.frontmatter.data,
    frontmatterError: note.frontmatter.error,
    headings: note.headings,
    blocks: note.blocks,
    links: note.links,
    tasks: note.tasks.map(describeTask),
  };
}

function describeTask({ line, mark, state, text, due, scheduled }: Task): NoteTask {
  const kept = text.length <= LONGEST_TASK ? text : `${text.slice(0, LONGEST_TASK).toWellFormed()}…`;
  return { line, mark, state, text: kept, due, scheduled };
}

function distinctTags(note: NoteText): readonly string[] {
  const tags = new Map<string, string>();
  for (const { name } of note.tags) {
    const folded = foldCase(name);
    if (!tags.has(folded)) tags.set(folded, name);
  }
  return [...tags.values()];
}
