import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenVectorStore } from '@grove/search';
import { type TrialOptions, tryLance } from './trial/try-lance.ts';

/** Where the vectors of this process are kept, on a machine of which it is found out first what runs there. */
export interface VectorStores {
  readonly open: OpenVectorStore;
  /** Why vectors are not kept in LanceDB, as a sentence; null while nothing is known against it. */
  note(): string | null;
}

/** What each kind of store leaves in its folder. */
const TRACES = { lancedb: 'vectors.lance', sqlite: 'vectors.db' } as const;

/**
 * Stores of vectors: LanceDB, or SQLite where that does not run. Found out with the first store that is opened; nothing
 * of LanceDB is loaded before. A folder of the other kind is made anew, for all in it is derived.
 *
 * @param folder where is remembered what runs on this machine
 * @example
 * const stores = vectorStores('/home/ann/.local/share/grove');
 * const store = await stores.open(join(dir, 'store'), 384);
 */
export function vectorStores(folder: string, options: TrialOptions = {}): VectorStores {
  let trial: Promise<string | null> | null = null;
  let trouble: string | null = null;
  return {
    async open(dir, dimensions) {
      trial ??= tryLance(folder, options);
      trouble = await trial;
      const other = trouble === null ? TRACES.sqlite : TRACES.lancedb;
      if (existsSync(join(dir, other))) await rm(dir, { recursive: true, force: true });
      if (trouble !== null) return await (await import('./sqlite-store.ts')).openSqliteStore(dir, dimensions);
      return await (await import('./lance-store.ts')).openLanceStore(dir, dimensions);
    },
    note: () =>
      trouble === null ? null : `Vectors are kept in SQLite, because LanceDB cannot be used: ${trouble}.`,
  };
}
