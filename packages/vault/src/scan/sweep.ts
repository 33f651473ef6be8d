import type { BigIntStats } from 'node:fs';
import { Slices, type VaultPath } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import type { Catalog } from '../catalog/catalog.ts';
import { type CatalogRow, isRacy } from '../catalog/catalog-row.ts';
import { isOutOfReach } from '../disk/ignored-folders.ts';
import { fileFacts, type SkipReason, sameKey } from '../disk/stat-key.ts';
import { type WalkVisitor, walkFolder, walkPath } from '../disk/walk.ts';
import type { WantedFile } from './note-reader.ts';

export interface SweepOptions {
  readonly root: string;
  readonly dialect: Dialect;
  readonly maxBytes: number;
  readonly catalog: Catalog;
  readonly signal: AbortSignal;
  /** Vault-relative files and folders as the disk spells them; null = everything. */
  readonly paths: readonly string[] | null;
  readonly onFolder?: (files: number) => void;
}

/** What a look at the folder found, against what the catalog knows. Nothing has been read or changed. */
export interface SweepFindings {
  readonly changed: readonly WantedFile[];
  /** Rows whose file is not there any more, or is one that must not be read. */
  readonly vanished: readonly CatalogRow[];
  /** Rows that cannot be looked at now. */
  readonly unreachable: readonly CatalogRow[];
  readonly skipped: ReadonlyMap<string, SkipReason>;
  readonly unreadableFolders: readonly string[];
  /** Entries of any kind in the vault folder; null when it was not listed. */
  readonly rootEntries: number | null;
}

/** Stats the folder, or the paths, and compares with the catalog. */
export async function sweepFolder(options: SweepOptions): Promise<SweepFindings> {
  const found = new Findings(options);
  const walk = { ...options, visitor: found };
  if (options.paths === null) {
    await walkFolder('', walk);
    return await found.compare([...options.catalog.rows()]);
  }
  const slices = new Slices();
  const rows: CatalogRow[] = [];
  const folders = new Set<string>();
  for (const path of options.paths) {
    if (slices.spent) await slices.rest();
    const kind = isOutOfReach(path, options.dialect) ? 'nothing' : await walkPath(path, walk);
    const row = options.catalog.row(path.normalize('NFC'));
    if (row === null) {
      // What is not there and is no known note may be a folder that went with all in it.
      if (kind !== 'file') folders.add(path);
      continue;
    }
    rows.push(row);
    // Another spelling of the same name may be the row's file, or take its place.
    for (const spelling of new Set([row.diskPath, path.normalize('NFC'), path.normalize('NFD')])) {
      if (spelling !== path) await walkPath(spelling, walk);
    }
  }
  if (folders.size > 0) {
    for (const row of [...options.catalog.rows()]) {
      if (slices.spent) await slices.rest();
      if (isBelow(row.diskPath, folders)) rows.push(row);
    }
  }
  return await found.compare(rows);
}

class Findings implements WalkVisitor {
  readonly #options: SweepOptions;
  /** Path to the disk's spelling of it. */
  readonly #seen = new Map<string, string>();
  readonly #changed = new Map<string, WantedFile>();
  readonly #skipped = new Map<string, SkipReason>();
  readonly #unreadableFolders = new Set<string>();
  #rootEntries: number | null = null;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  file(diskPath: string, path: VaultPath, stat: BigIntStats): void {
    const twin = this.#seen.get(path);
    if (twin === diskPath) return;
    if (twin !== undefined) {
      // Two files whose names differ only in Unicode form: the composed one is the note.
      const loser = diskPath === path || (twin !== path && diskPath < twin) ? twin : diskPath;
      this.#skipped.set(loser, 'twin');
      if (loser === diskPath) return;
    }
    this.#seen.set(path, diskPath);
    this.#changed.delete(path);
    const { catalog } = this.#options;
    const facts = fileFacts(stat);
    const row = catalog.row(path);
    if (row !== null) {
      const isSame = row.diskPath === diskPath && sameKey(row.stat, facts.key);
      if (isSame && !isRacy(row) && !catalog.isMasked(row)) return;
    }
    const refused = catalog.refusedAt(diskPath);
    if (refused !== null && refused.stat === JSON.stringify(facts.key)) {
      this.#seen.delete(path);
      this.skip(diskPath, refused.reason);
      return;
    }
    this.#changed.set(path, { path, diskPath, expected: row, size: facts.key.size });
  }

  skip(diskPath: string, reason: SkipReason): void {
    this.#skipped.set(diskPath, reason);
  }

  unreadableFolder(diskPath: string): void {
    this.#unreadableFolders.add(diskPath);
  }

  folder(diskPath: string, entries: number): void {
    if (diskPath === '') this.#rootEntries = entries;
    this.#options.onFolder?.(this.#seen.size);
  }

  /** Tells which of the rows were not met. */
  async compare(rows: readonly CatalogRow[]): Promise<SweepFindings> {
    const vanished: CatalogRow[] = [];
    const unreachable: CatalogRow[] = [];
    const slices = new Slices();
    for (const row of rows) {
      if (slices.spent) await slices.rest();
      if (this.#seen.has(row.path)) continue;
      const isUnreadable = this.#skipped.get(row.diskPath) === 'unreadable';
      if (isUnreadable || this.#isBelowUnreadable(row.diskPath)) unreachable.push(row);
      else vanished.push(row);
    }
    return {
      changed: [...this.#changed.values()],
      vanished,
      unreachable,
      skipped: this.#skipped,
      unreadableFolders: [...this.#unreadableFolders],
      rootEntries: this.#rootEntries,
    };
  }

  #isBelowUnreadable(diskPath: string): boolean {
    return this.#unreadableFolders.size > 0 && isBelow(diskPath, this.#unreadableFolders);
  }
}

/** True when one of the folders holds the path; `''` holds everything. */
export function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true;
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    if (folders.has(path.slice(0, slash))) return true;
  }
  return false;
}
