import type { VaultPath } from '@grove/core';

/** One file that a write changes, with the names that its steps use. */
export interface FileChange {
  readonly path: VaultPath;
  /** Vault-relative, as the disk spells it. */
  readonly diskPath: string;
  /** What the file was when it was looked at, and what it becomes; null where there is no file. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** Permissions and, for a process that may give files away, the owner that the file gets. */
  readonly permissions: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Absolute: the fresh file, and the second name of the old one. */
  readonly temp: string;
  readonly keep: string;
}

/** True when both are the same bytes, or both are no file. */
export function sameBytes(left: Uint8Array | null, right: Uint8Array | null): boolean {
  if (left === null || right === null) return left === right;
  return left.length === right.length && Buffer.compare(left, right) === 0;
}
