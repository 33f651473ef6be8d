import type { FolderPath } from '@grove/core';
import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';
import { byPath } from '../resolve/names.ts';
import type { FolderCount } from '../view.ts';

/** The rows of one View, with what is derived from their paths alone. */
export class Members {
  readonly #admits: (row: CatalogRow) => boolean;
  readonly #byId = new Map<number, CatalogRow>();
  readonly #byPath = new Map<string, CatalogRow>();
  #generation = 1;
  #notes: readonly CatalogRow[] | null = null;
  #ids: Uint32Array | null = null;
  #folders: readonly FolderCount[] | null = null;

  constructor(rows: Iterable<CatalogRow>, admits: (row: CatalogRow) => boolean) {
    this.#admits = admits;
    for (const row of rows) if (admits(row)) this.#set(row);
  }

  get generation(): number {
    return this.#generation;
  }

  get size(): number {
    return this.#byId.size;
  }

  rows(): IterableIterator<CatalogRow> {
    return this.#byId.values();
  }

  byId(id: number): CatalogRow | null {
    return this.#byId.get(id) ?? null;
  }

  at(path: string): CatalogRow | null {
    return this.#byPath.get(path) ?? null;
  }

  notes(): readonly CatalogRow[] {
    this.#notes ??= [...this.#byId.values()].sort(byPath);
    return this.#notes;
  }

  ids(): Uint32Array {
    this.#ids ??= Uint32Array.from(this.#byId.keys()).sort();
    return this.#ids;
  }

  folders(): readonly FolderCount[] {
    this.#folders ??= countFolders(this.#byPath.keys());
    return this.#folders;
  }

  /** Takes in what changed in the catalog; answers the part of it that this View sees. */
  update(changes: readonly RowChange[]): RowChange[] {
    const seen: RowChange[] = [];
    let isNewGeneration = false;
    let isNewMembership = false;
    for (const change of changes) {
      const id = change.before?.id ?? change.after?.id;
      const before = id === undefined ? null : this.byId(id);
      const after = change.after !== null && this.#admits(change.after) ? change.after : null;
      if (before === null && after === null) continue;
      if (before !== null) this.#delete(before);
      if (after !== null) this.#set(after);
      seen.push({ before, after });
      if (before === null || after === null || before.path !== after.path) isNewMembership = true;
      // A new stat key alone changes nothing that a caller can see but the row itself.
      if (before?.contentHash !== after?.contentHash || before?.sequence !== after?.sequence)
        isNewGeneration = true;
    }
    if (seen.length > 0) this.#notes = null;
    if (isNewMembership) this.#folders = null;
    if (isNewMembership || isNewGeneration) {
      this.#generation += 1;
      this.#ids = null;
    }
    return seen;
  }

  #set(row: CatalogRow): void {
    this.#byId.set(row.id, row);
    this.#byPath.set(row.path, row);
  }

  #delete(row: CatalogRow): void {
    this.#byId.delete(row.id);
    if (this.#byPath.get(row.path) === row) this.#byPath.delete(row.path);
  }
}

function countFolders(paths: Iterable<string>): FolderCount[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return [...counts].map(([path, notes]) => ({ path: path as FolderPath, notes })).sort(byPath);
}
