import type { Checkout, Signature, TreeLeaf } from '@grove/history';

/** What the disk had at a path before a pull. */
export interface DiskBefore {
  readonly kind: 'file' | 'link';
  /** Content hash of its bytes, or of what the link says. */
  readonly hash: string;
  /** How its bytes are made again of what git has. */
  readonly checkout: Checkout;
}

/** One path that a pull changes. */
export interface PulledFile {
  /** Vault-relative, as git and the disk spell it. */
  readonly path: string;
  /** What the branch has of it before, outside edits included, and after the pull. */
  readonly ours: TreeLeaf | null;
  readonly result: TreeLeaf | null;
  readonly before: DiskBefore | null;
  /** The branch has it, and it is not made on disk. */
  readonly isLeftOut?: boolean;
  /** How the file is made of what git has of it. */
  readonly checkout: Checkout;
  /** Permissions and owner of the file on disk, or of a new one. */
  readonly permissions: number;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Absolute paths of the fresh file and of the second name of the old one. */
  readonly temp: string;
  readonly keep: string;
}

/**
 * How far a pull has come: its files are being put in place; they are, and what the disk has otherwise is somebody's
 * later work; they are being taken back.
 */
export type PullState = 'placing' | 'placed' | 'undoing';

/**
 * A pull on its way. All objects that it names are durable before it is: with them it is a redo log, and what it holds
 * of each file are ids, not bytes.
 */
export interface PullRecord {
  /** Full name of the branch, its commit before, and the one that it is moved to. */
  readonly ref: string;
  readonly base: string | null;
  readonly final: string;
  readonly reflog: string;
  readonly who: Signature;
  readonly files: readonly PulledFile[];
  /** Other paths that its commits change: what somebody changed outside, which stays as it is on disk. */
  readonly outside: readonly string[];
  /** Vault-relative folders that have to be made, outermost first, and those that may be left empty, likewise. */
  readonly madeFolders: readonly string[];
  readonly emptiedFolders: readonly string[];
}

/** A pull in the ledger. There is never more than one. */
export interface PullRow {
  readonly state: PullState;
  readonly record: PullRecord;
}
