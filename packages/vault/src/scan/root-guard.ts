import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { type RootIdentity, rootIdentity, sameRoot } from '../disk/root-identity.ts';

/** Notes looked at to tell a returned vault under a new device number from another folder. */
const SAMPLE = 32;

const MISSING = 'The vault folder is not there. Notes stay in the index; mount it again and Grove goes on.';
const REPLACED =
  'Another folder lies in the place of the vault folder. Notes stay in the index until the vault returns or Grove is started anew.';
const EMPTY =
  'The vault folder is empty although it held notes. They stay in the index until it fills again.';
const UNREADABLE = 'The vault folder cannot be read. Notes stay in the index until it can.';

/** Watches that the vault folder is still the one that was opened. */
export class RootGuard {
  readonly #root: string;
  readonly #catalog: Catalog;
  readonly #onChange: (problem: string | null) => void;
  #identity: RootIdentity | null;
  #problem: string | null = null;

  constructor(root: string, catalog: Catalog, onChange: (problem: string | null) => void) {
    this.#root = root;
    this.#catalog = catalog;
    this.#onChange = onChange;
    this.#identity = rootIdentity(root);
  }

  /** A sentence while the vault is degraded, else null. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Looks now; true when the folder is the vault. A folder found empty or unreadable stays so until listed. */
  check(): boolean {
    const now = rootIdentity(this.#root);
    if (now === null) return this.#set(MISSING);
    if (!sameRoot(now, this.#identity)) {
      // A network share or a stick that is mounted again may get another device number.
      if (!this.#holdsKnownNotes()) return this.#set(REPLACED);
      this.#identity = now;
    }
    if (this.#problem === MISSING || this.#problem === REPLACED) this.#set(null);
    return true;
  }

  /** Takes what a listing of the whole folder found; true when it can be believed. */
  judgeListing(entries: number | null): boolean {
    if (!this.check()) return false;
    if (entries === null) return this.#set(UNREADABLE);
    if (entries === 0 && this.#catalog.size > 0) return this.#set(EMPTY);
    return this.#set(null);
  }

  #set(problem: string | null): boolean {
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#onChange(problem);
    }
    return problem === null;
  }

  #holdsKnownNotes(): boolean {
    const { size } = this.#catalog;
    if (size === 0) return true;
    const every = Math.max(1, Math.floor(size / SAMPLE));
    let index = 0;
    let looked = 0;
    let known = 0;
    for (const row of this.#catalog.rows()) {
      if (index++ % every !== 0) continue;
      looked += 1;
      if (this.#isThere(row)) known += 1;
    }
    return known * 2 >= looked;
  }

  #isThere(row: CatalogRow): boolean {
    try {
      const stat = lstatSync(join(this.#root, row.diskPath), { bigint: true });
      // Some file systems and copies keep whole milliseconds only.
      const isSameTime = Math.abs(Number(stat.mtimeMs) - row.file.modified) <= 1;
      return stat.isFile() && Number(stat.size) === row.size && isSameTime;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return false;
    }
  }
}
