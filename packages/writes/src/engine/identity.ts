import { type BigIntStats, statSync } from 'node:fs';
import { errorCode, GroveError } from '@grove/core';
import type { GitLocation } from '@grove/history';

/** Watches that the vault folder and its git dir are still the ones that were opened. */
export class PlaceGuard {
  readonly #folders: { readonly path: string; identity: BigIntStats }[];

  /** @throws GroveError `vault_degraded` when one of them is not there */
  constructor(root: string, location: GitLocation) {
    const paths = [...new Set([root, location.gitDir, location.commonDir])];
    this.#folders = paths.map((path) => ({ path, identity: folderAt(path) ?? gone() }));
  }

  /** @throws GroveError `vault_degraded` when one of them vanished or was replaced */
  check(): void {
    const now = this.#folders.map(({ path }) => folderAt(path));
    if (now.some((found, at) => found === null || found.ino !== this.#folders[at]!.identity.ino)) gone();
    // A network share or a stick that is mounted again may get another device number; its inodes stay.
    for (const [at, found] of now.entries()) this.#folders[at]!.identity = found!;
  }
}

function gone(): never {
  throw new GroveError('vault_degraded');
}

function folderAt(path: string): BigIntStats | null {
  try {
    const stat = statSync(path, { bigint: true });
    return stat.isDirectory() ? stat : null;
  } catch (error) {
    // A dead mount answers with one of many codes (ENOENT, EIO, ENOTCONN, ESTALE, EACCES): all mean "not there".
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
