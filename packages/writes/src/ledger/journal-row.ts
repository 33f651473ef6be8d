import type { VaultPath } from '@grove/core';
import type { Signature } from '@grove/history';
import type { WriteAuthor, WrittenFile } from '../engine/contract.ts';

/** What one commit of a row makes of one file. `null` removes it. */
export interface JournalChange {
  /** Vault-relative, as the disk spells it. */
  readonly diskPath: string;
  readonly mode: '100644' | '100755';
  /** Which bytes of the row's file the blob is made of. */
  readonly content: 'before' | 'after';
}

/** A commit of a row, whole enough to be made again with the same id. */
export interface JournalCommit {
  readonly oid: string;
  readonly parent: string | null;
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
  readonly changes: readonly JournalChange[];
}

/** One file of a row: what it was, what it becomes. */
export interface JournalFile {
  readonly path: VaultPath;
  /** Vault-relative, as the disk spells it. */
  readonly diskPath: string;
  /** Bytes on disk before and after; null where there is no file. Equal for a commit that changes no file. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** What git stores for them; null where there is no file. */
  readonly storedBefore: Uint8Array | null;
  readonly storedAfter: Uint8Array | null;
  /** Permissions of the file before, or of a new one. */
  readonly permissions: number;
  /** Its owner likewise; null where it does not matter. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  readonly sourceHash: string | null;
  /** Absolute paths of the fresh file and of the second name of the old one. */
  readonly temp: string | null;
  readonly keep: string | null;
}

/** A write on its way: all that is needed to finish it or to take it back. */
export interface JournalRecord {
  /** Full name of the branch. */
  readonly ref: string;
  /** Its commit before; null for a branch without one. */
  readonly base: string | null;
  /** In order; the last one is the write itself, one before it what somebody changed outside. */
  readonly commits: readonly JournalCommit[];
  readonly files: readonly JournalFile[];
  /** Vault-relative folders that the write had to make, outermost first. */
  readonly madeFolders: readonly string[];
  readonly author: WriteAuthor | null;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
  readonly written: readonly WrittenFile[];
  readonly conflictSaved: readonly VaultPath[];
  readonly answer: unknown;
  /** See WritePlan; null where there is none. */
  readonly followUp: unknown;
}

/** A record in the journal. */
export interface JournalRow {
  readonly id: number;
  /** True once its answer could have been given: then it is finished, never taken back. */
  readonly acknowledged: boolean;
  readonly record: JournalRecord;
}
