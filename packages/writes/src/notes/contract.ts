import type { Clock, VaultPath } from '@grove/core';
import type { GitLocation } from '@grove/history';
import type { SkippedTag, TagOutcome, TextEdit } from '@grove/markdown';
import type { DeletePolicy, VaultSchema, View } from '@grove/vault';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { AskPerson } from '../confirmations/question.ts';
import type { Discovery, LinkSuggestion } from '../discovery/contract.ts';
import type { WriteAuthor, WriteEngine } from '../engine/contract.ts';
import type { WritePolicy } from './write-policy.ts';

/** What can be done to a note. */
export const WRITE_ACTIONS = [
  'write',
  'append',
  'prepend',
  'replace',
  'edit',
  'frontmatter',
  'tags',
  'move',
  'delete',
  'restore',
] as const;

export type WriteAction = (typeof WRITE_ACTIONS)[number];

/** What a principal may do. `write` does not imply the others here: whoever makes rights spells them out. */
export interface WriteRights {
  /** True when answers may hold text of notes: differences, near headings. */
  readonly read: boolean;
  /** Append, prepend and create notes; never change bytes that are there. */
  readonly append: boolean;
  readonly write: boolean;
}

/** One change to one note, as it was asked for. What an action does not take is null, false or empty. */
export interface NoteOperation {
  readonly action: WriteAction;
  /** A path, or the file name or alias of one note, or a periodic name (`today`). */
  readonly path: string;
  readonly section: string | null;
  readonly content: string | null;
  readonly frontmatter: Readonly<Record<string, unknown>> | null;
  readonly edits: readonly TextEdit[];
  readonly set: Readonly<Record<string, unknown>> | null;
  readonly unset: readonly string[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly location: 'frontmatter' | 'inline' | 'both';
  /** A hash that the note, or the section, must still have; several, parted by commas; `*` for whatever is there. */
  readonly ifHash: string | null;
  /** Index of an earlier operation of the batch whose source hash stands for `ifHash`. */
  readonly ifHashFromOp: number | null;
  /** Only where no note is: `If-None-Match: *`. */
  readonly createOnly: boolean;
  readonly overwrite: boolean;
  readonly createSection: boolean;
  /** Null when it was not said. */
  readonly subsections: boolean | null;
  readonly timestamp: boolean;
  readonly repeat: boolean;
  /** For `move`: the new path, or the folder that the note goes to. */
  readonly to: string | null;
  /** For `restore`: where from; null is the newest batch of the trash that holds the note. */
  readonly from: RestoreSource | null;
  readonly reason: string | null;
}

/**
 * A batch of the trash, or a commit of the history: `revision` as it was asked for, and the whole id of the commit that
 * it names for this caller, null where it names none.
 */
export type RestoreSource =
  | { readonly batch: string }
  | { readonly revision: string; readonly commit: string | null };

/** One call: one operation, or a batch. */
export interface NoteWriteRequest {
  readonly operations: readonly NoteOperation[];
  /** True for a batch: its answer is a list, and what is wrong is told for each operation. */
  readonly batch: boolean;
  /** One commit or nothing; else each operation is a commit of its own. */
  readonly atomic: boolean;
  readonly dryRun: boolean;
  /** False refuses a stale hash even where both changes would fit. */
  readonly merge: boolean;
  readonly idempotencyKey: string | null;
}

/** Who writes, and what of the vault that caller sees and may change. */
export interface NoteWriteCaller {
  readonly view: View;
  readonly author: WriteAuthor;
  readonly may: WriteRights;
  readonly policy: WritePolicy;
  /** Paths of visible notes whose names are near one that nothing answers to. */
  nearest(reference: string): readonly string[];
  /** Asks the person at the caller's client; null where nobody can be asked that way. */
  readonly confirm: AskPerson | null;
}

/** What became of one operation. */
export interface NoteWriteResult {
  readonly action: WriteAction;
  readonly path: VaultPath;
  readonly created: boolean;
  /** Nothing was written, because nothing was to do. */
  readonly alreadyThere: boolean;
  /** The note had changed since `ifHash`, and both changes are in it. */
  readonly merged: boolean;
  /** This is the answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  /** Null when nothing was written. */
  readonly commit: string | null;
  readonly sourceHash: string | null;
  readonly contentHash: string | null;
  /** Bytes of the file; null where there was none. */
  readonly sizeBefore: number | null;
  readonly sizeAfter: number | null;
  /** What changed, as a unified diff of bounded length; empty when nothing did, or when the caller may not read. */
  readonly diff: string;
  /** For `edit`: how often each find matched. */
  readonly matches: readonly number[];
  /** For `tags`: what was done, and what was not and why. */
  readonly applied: readonly TagOutcome[];
  readonly skipped: readonly SkippedTag[];
  /** Links that the text which was added could have, at most three; none where the caller may not read. */
  readonly suggestions: readonly LinkSuggestion[];
  /** Copies that hold somebody's newer words. */
  readonly conflictSaved: readonly VaultPath[];
  /** For `move`: where the note was before. */
  readonly movedFrom: VaultPath | null;
  /** For `move`: notes whose links were mended, the moved one too, as this caller sees them. */
  readonly mended: readonly MendedNote[];
  /** The fields of the call that takes it back; null where there is none, or where this caller may not. */
  readonly undo: Readonly<Record<string, unknown>> | null;
  readonly remarks: readonly string[];
}

/** A note in which links were written anew, and how many. */
export interface MendedNote {
  readonly path: VaultPath;
  readonly links: number;
}

/** What became of one operation of a batch that is not atomic: its result, or why it was refused. */
export type BatchItem = { readonly result: NoteWriteResult } | { readonly error: unknown };

/** What writing to one vault stands on. */
export interface NoteWritesOptions {
  readonly engine: WriteEngine;
  readonly clock: Clock;
  /** IANA zone of the vault as it is now. */
  readonly zone: () => string;
  /** The owner's rules for notes as they are now. */
  readonly schema: () => VaultSchema;
  readonly ground: VaultGround;
  /** As the owner has it now. */
  readonly deletePolicy: () => DeletePolicy;
  /** What waits for a yes under the policy `confirm`. */
  readonly confirmations: Confirmations;
  readonly discovery: Discovery;
}

/** The folder behind the notes, for what is about more than one note's text. */
export interface VaultGround {
  /** Real path of the vault folder. */
  readonly root: string;
  readonly location: GitLocation;
  /** Null before the first scan. */
  ownerView(): View | null;
  /** Brings the catalog up to date with the whole folder. */
  reconcile(): Promise<void>;
}
