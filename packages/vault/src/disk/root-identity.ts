import { statSync } from 'node:fs';
import { errorCode } from '@grove/core';

/** Device and inode of the vault folder: another one at the same path is another folder. */
export interface RootIdentity {
  readonly dev: string;
  readonly ino: string;
}

/** The identity of the folder at `root` now, or null when no folder can be seen there. */
export function rootIdentity(root: string): RootIdentity | null {
  try {
    const stat = statSync(root, { bigint: true });
    return stat.isDirectory() ? { dev: String(stat.dev), ino: String(stat.ino) } : null;
  } catch (error) {
    // A dead mount answers with one of many codes (ENOENT, EIO, ENOTCONN, ESTALE, EACCES): all mean "not there".
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

/** True when both are the same folder. */
export function sameRoot(left: RootIdentity | null, right: RootIdentity | null): boolean {
  return left !== null && right !== null && left.dev === right.dev && left.ino === right.ino;
}
