import type { VaultPath } from '@grove/core';
import type { BlockId, Dialect, Frontmatter, Heading, Link, NoteText, Task } from '@grove/markdown';

/** Identity of a file's bytes without reading them; all from one `lstat`. Nanoseconds as decimal text. */
export interface StatKey {
  readonly dev: string;
  readonly ino: string;
  readonly size: number;
  readonly mtimeNs: string;
  readonly ctimeNs: string;
}

/** One catalog row: what is kept in memory of every note. Immutable; a change makes a new row. */
export interface NoteRow {
  /** Unsigned 32-bit, never reused within a catalog. Never leaves the process. */
  readonly id: number;
  readonly path: VaultPath;
  /** The path as the disk spells it (a Mac may store NFD). */
  readonly diskPath: string;
  /** File name without `.md`; for Logseq the page name. */
  readonly name: string;
  /** What a person calls the note: title property, first heading, else the name. */
  readonly title: string;
  readonly type: string | null;
  /** Distinct tags of every form, first spelling kept, in order. */
  readonly tags: readonly string[];
  /** What else stands under `type` and `tags`, and may be meant as one; for rules that keep notes back. */
  readonly otherTypes: readonly string[];
  readonly otherTags: readonly string[];
  readonly aliases: readonly string[];
  readonly frontmatterStatus: Frontmatter['status'];
  /** `private` with any value but false or null, also in what only looks like frontmatter. */
  readonly private: boolean;
  /** A copy that a sync tool left (`x.sync-conflict-…`, `x (conflict …)`): out of search and resolution. */
  readonly conflictCopy: boolean;
  /** True when tasks stand in it: others need not be asked for theirs. */
  readonly hasTasks: boolean;
  readonly size: number;
  readonly words: number;
  readonly contentHash: string;
  /** Git blob id of the bytes on disk. */
  readonly blob: string;
  readonly stat: StatKey;
  /** Change sequence of the catalog at which this row was written. */
  readonly sequence: number;
}

/** The rest of a row, fetched when asked for. */
export interface NoteDetails {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly frontmatterError: Frontmatter['error'];
  readonly headings: readonly Heading[];
  readonly blocks: readonly BlockId[];
  readonly links: readonly Link[];
  readonly tasks: readonly NoteTask[];
}

/** A task of a note; a long text is cut. */
export type NoteTask = Pick<Task, 'line' | 'mark' | 'state' | 'text' | 'due' | 'scheduled'>;

/** A note as it was just read from disk and judged: exactly these bytes may be served. */
export interface ServedNote {
  readonly row: NoteRow;
  readonly bytes: Uint8Array;
  readonly note: NoteText;
}

/** Milliseconds since the epoch, by the one definition of DESIGN: git, else frontmatter, else file. */
export interface NoteTimes {
  readonly created: number;
  readonly modified: number;
}

/** What changed in the catalog, in one step. `texts[i]` is the decoded text of `upserted[i]`. */
export interface CatalogDelta {
  readonly upserted: readonly NoteRow[];
  readonly texts: readonly NoteText[];
  readonly removed: readonly NoteRow[];
}

/** A file that is no note for Grove, with the reason a person needs. */
export interface SkippedFile {
  readonly path: string;
  readonly reason:
    | 'symlink'
    | 'hard_link'
    | 'not_a_file'
    | 'unreadable'
    | 'not_text'
    | 'too_large'
    | 'bad_name'
    | 'twin'
    | 'ignored';
}

export type { Dialect };
