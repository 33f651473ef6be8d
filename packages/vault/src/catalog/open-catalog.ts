import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isSqliteDamage } from '@grove/core';
import { type CatalogFile, createCatalogFile, openCatalogFile } from './catalog-file.ts';
import type { CatalogRow } from './catalog-row.ts';
import { CatalogStore, type RefusedFile, type StoreCounters } from './catalog-store.ts';

/** A catalog as it was found, or made, at open. */
export interface OpenedCatalog {
  readonly store: CatalogStore;
  readonly rows: readonly CatalogRow[];
  readonly refused: readonly RefusedFile[];
  readonly counters: StoreCounters;
  /** Why it was made anew, as a sentence; null when it was not, and on the first use of the vault. */
  readonly rebuilt: string | null;
}

/**
 * Opens `<stateDir>/index/catalog.db`. A missing, damaged or foreign one is made anew and said so: it holds
 * nothing that the notes do not say. `readingKey` is that of the settings under which notes are read.
 */
export function openCatalog(stateDir: string, readingKey: string): OpenedCatalog {
  const path = join(stateDir, 'index', 'catalog.db');
  // Outside index/: it tells a deleted catalog from a vault's first use.
  const witness = join(stateDir, 'catalog.id');
  let reason: string | null = null;
  try {
    const file = openCatalogFile(path);
    if (file !== null) {
      const found = load(file, path, readingKey);
      if (typeof found !== 'string') return found;
      reason = found;
    } else if (existsSync(path)) {
      reason = 'The catalog had been written by another version of Grove.';
    } else if (existsSync(witness)) {
      reason = 'The catalog had been deleted.';
    }
  } catch (error) {
    // A folder or a device in the catalog's place counts as damage too: it cannot be opened.
    if (!isSqliteDamage(error) && !(error instanceof SyntaxError) && errorCode(error) !== 'ERR_SQLITE_ERROR')
      throw error;
    reason = 'The catalog was damaged.';
  }
  const store = new CatalogStore(createCatalogFile(path, readingKey), path);
  if (!existsSync(witness) || readFileSync(witness, 'utf8') !== store.catalogId) {
    writeFileSync(witness, store.catalogId);
  }
  return { store, rows: [], refused: [], counters: store.counters(), rebuilt: reason };
}

/** Reads a catalog into memory; a sentence instead when it cannot be used. */
function load(file: CatalogFile, path: string, readingKey: string): OpenedCatalog | string {
  const store = new CatalogStore(file, path);
  try {
    if (file.readingKey !== readingKey) {
      store.close();
      return 'The notes are read in another way now: its dialect or journal settings changed.';
    }
    if (!store.complete) {
      store.close();
      return 'The catalog had been lost while Grove ran, and was not whole again yet.';
    }
    return { store, rows: store.rows(), refused: store.refused(), counters: store.counters(), rebuilt: null };
  } catch (error) {
    store.close();
    throw error;
  }
}
