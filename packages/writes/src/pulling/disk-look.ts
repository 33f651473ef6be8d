import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash, errorCode, foldCase, GroveError } from '@grove/core';
import { refused } from '../engine/files/find-place.ts';
import { LARGEST_FILE, readPlainFile } from '../engine/files/read-file.ts';
import { statAt } from '../engine/files/stat-at.ts';
import { accessOf } from '../engine/look-at-files.ts';

/** What lies at a path of the vault. */
export type FoundOnDisk =
  | { readonly kind: 'none' | 'folder' | 'other' }
  /** A folder on the way is none: `by` is what stands there, vault-relative. */
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'link'; readonly target: string }
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      readonly hash: string;
      readonly stat: BigIntStats;
    };

/** Where a new file would come: the deepest folder that is there, and those that are not, outermost first. */
export interface NewPlace {
  readonly folder: BigIntStats;
  readonly missing: readonly string[];
}

/** Looks at paths of a vault without following a link. What it saw of folders holds for one look around. */
export class DiskLook {
  readonly #root: string;
  /** The stat of a folder; null where there is none, and what stands in its place where it is no folder. */
  readonly #folders = new Map<string, BigIntStats | null | 'other'>();
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** @throws GroveError `path_refused`, `files_exhausted` */
  at(path: string): FoundOnDisk {
    const by = this.blocker(path);
    if (by !== null) return { kind: 'blocked', by };
    const stat = this.#stat(path);
    if (stat === null) return { kind: 'none' };
    if (stat.isDirectory()) return { kind: 'folder' };
    if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(join(this.#root, path)) };
    if (!stat.isFile()) return { kind: 'other' };
    try {
      const read = readPlainFile(join(this.#root, path), path, 1, LARGEST_FILE);
      return read === null ? { kind: 'none' } : { kind: 'file', ...read, hash: contentHash(read.bytes) };
    } catch (error) {
      // Nothing that a pull could put another in the place of.
      if (errorCode(error) === 'note_too_large') return { kind: 'other' };
      throw error;
    }
  }

  /** The first name on the way to a path that is there and no folder, or null. */
  blocker(path: string): string | null {
    for (const folder of foldersOf(path)) if (this.#folder(folder) === 'other') return folder;
    return null;
  }

  /** The path as the disk spells it, where that is another name that it takes for the same; else null. */
  otherSpelling(path: string): string | null {
    const folder = dirname(path);
    let names = this.#names.get(folder);
    if (names === undefined) {
      names = new Set(readdirSync(join(this.#root, folder)));
      this.#names.set(folder, names);
    }
    const name = path.slice(folder === '.' ? 0 : folder.length + 1);
    if (names.has(name)) return null;
    const other = [...names].find((spelled) => foldCase(spelled) === foldCase(name)) ?? name;
    return folder === '.' ? other : `${folder}/${other}`;
  }

  isFolder(path: string): boolean {
    return this.#stat(path)?.isDirectory() === true;
  }

  isThere(path: string): boolean {
    return this.#stat(path) !== null;
  }

  newPlace(path: string): NewPlace {
    const missing: string[] = [];
    for (const folder of [...foldersOf(path)].reverse()) {
      const found = this.#folder(folder);
      if (found !== null && found !== 'other') return { folder: found, missing: missing.reverse() };
      missing.push(folder);
    }
    throw new GroveError('vault_degraded');
  }

  /** A folder and those in it, outermost first, where nothing is left in them once these files are gone; else null. */
  emptied(folder: string, isGone: (path: string) => boolean): readonly string[] | null {
    const folders = [folder];
    for (const entry of readdirSync(join(this.#root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      const below = entry.isDirectory() ? this.emptied(path, isGone) : isGone(path) ? [] : null;
      if (below === null) return null;
      folders.push(...below);
    }
    return folders;
  }

  #folder(folder: string): BigIntStats | null | 'other' {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const stat = folder === '' ? lstatSync(this.#root, { bigint: true }) : this.#stat(folder);
    const found = stat === null || stat.isDirectory() ? stat : 'other';
    this.#folders.set(folder, found);
    return found;
  }

  #stat(path: string): BigIntStats | null {
    try {
      return statAt(join(this.#root, path));
    } catch (error) {
      const code = errorCode(error) ?? '';
      throw refused(path, `it cannot be looked at (${code})`);
    }
  }
}

/** Permissions and owner of a new file: as its folder's, and whoever may read it may run it where git says so. */
export function accessOfNew({ folder }: NewPlace, isExecutable: boolean): ReturnType<typeof accessOf> {
  const { permissions, owner } = accessOf(folder);
  const plain = (permissions & 0o666) | 0o600;
  return { owner, permissions: withRunBits(plain, isExecutable) };
}

/** Permissions with the right to run the file given to all who may read it, or taken away. */
export function withRunBits(permissions: number, isExecutable: boolean): number {
  const plain = permissions & ~0o111;
  return isExecutable ? plain | ((plain & 0o444) >> 2) : plain;
}

/** The folders on the way to a path, from the vault (`''`) down. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))];
}

/** Each folder once, before those that lie in it. */
export function outermostFirst(folders: Iterable<string>): string[] {
  return [...new Set(folders)].sort((a, b) => a.length - b.length);
}
