import { existsSync } from 'node:fs';
import { Slices } from '@grove/core';
import { LaterStore } from './later-store.ts';
import type { MemorySnapshot } from './memory-snapshot.ts';
import type { StoredVector, VectorStore } from './port.ts';
import type { MeaningRecords } from './records/meaning-records.ts';
import type { TextRecord } from './records/text-columns.ts';
import type { VectorRow, VectorRows } from './vector-rows.ts';

/** Keys that are looked up in one turn of the event loop. */
const KEYS_AT_ONCE = 500;
/** Vectors that are looked for by their keys; of more the whole store is read, which is faster then. */
const FEW_KEYS = 1_000;
/** Vectors that no note needs any more, above which they are looked for in the store and removed. */
const UNUSED_VECTORS = 2_000;
/** Vectors above which the store is opened at the start: it may have an index of them, which searches ask. */
const MANY_VECTORS = 200_000;

export interface LoadOptions {
  readonly records: MeaningRecords;
  readonly rows: VectorRows;
  readonly snapshot: MemorySnapshot;
  /** Folder of the store. */
  readonly folder: string;
  readonly open: () => Promise<VectorStore>;
  /** False: vectors that no note needs stay in the store, for a model that may be chosen again. */
  readonly removesUnused: boolean;
  readonly isClosed: () => boolean;
}

/** The store of what is in memory now, and the notes that should have vectors and lack some. */
export interface LoadedVectors {
  readonly store: VectorStore;
  readonly lacking: readonly number[];
}

/**
 * Brings the vectors from disk into memory: from the snapshot what it has, the rest from the store. A store that has
 * nothing to add is opened when it is needed.
 *
 * @throws what the store throws, with the code `vectors_damaged` when it is no good; rows may be in memory then
 */
export async function loadVectors(options: LoadOptions): Promise<LoadedVectors> {
  const { records, rows, snapshot, folder, open } = options;
  const known = records.storeKind;
  // Who deletes the store wants its vectors made anew.
  const restored = known !== null && existsSync(folder) ? await snapshot.restore() : null;
  // What a note that waits lacks is looked for when it has its turn.
  const lacking = restored?.filter(({ note }) => records.isDone(note)) ?? null;
  const isTidy = !mayRemoveUnused(options) || records.unused <= UNUSED_VECTORS;
  if (known === 'lancedb' && lacking?.length === 0 && isTidy && rows.size < MANY_VECTORS)
    return { store: new LaterStore(known, folder, open), lacking: [] };
  const store = await open();
  try {
    const isOther = store.kind !== known;
    if (isOther) {
      records.storeKind = store.kind;
      await rows.clear();
    }
    if (!isOther && lacking !== null && lacking.length <= FEW_KEYS && isTidy)
      return { store, lacking: await readSome(options, store, lacking) };
    return { store, lacking: await readAll(options, store) };
  } catch (error) {
    await store.close().catch(() => {});
    throw error;
  }
}

async function readSome(
  { records, rows }: LoadOptions,
  store: VectorStore,
  texts: readonly TextRecord[],
): Promise<number[]> {
  const keys = [...new Set(texts.map(({ key }) => key))];
  if (keys.length === 0) return [];
  const found = await store.get(keys);
  await rows.put(() => rowsOf(records, found).added);
  return notesWithout(
    rows,
    texts.map(({ row, note }) => [row, note]),
  );
}

async function readAll(options: LoadOptions, store: VectorStore): Promise<number[]> {
  const { records, rows, removesUnused, isClosed } = options;
  const removes = mayRemoveUnused(options);
  const unused: string[] = [];
  const slices = new Slices();
  for await (const part of store.read()) {
    for (let from = 0; from < part.length; from += KEYS_AT_ONCE) {
      const some = part.slice(from, from + KEYS_AT_ONCE);
      await rows.put(() => {
        const found = rowsOf(records, some);
        unused.push(...found.unused);
        return found.added;
      });
      if (isClosed()) return [];
      if (slices.spent) await slices.rest();
    }
  }
  if (removesUnused) {
    const goes = removes && unused.length > UNUSED_VECTORS;
    if (goes) await store.remove(unused);
    records.unused = goes ? 0 : unused.length;
  }
  if (rows.size === records.texts) return [];
  const { heads, parts } = await records.columns();
  return notesWithout(rows, [...heads.places(), ...parts.places()]);
}

/**
 * What no text needs is waste only once the texts of all notes are known: after the records were made anew, as with a
 * new catalog, every vector looks like it.
 */
function mayRemoveUnused({ records, removesUnused }: LoadOptions): boolean {
  const { total, done, failed } = records.counts();
  return removesUnused && total > 0 && done + failed === total;
}

/** The vectors under the numbers of their texts, and the keys that no text has. */
function rowsOf(
  records: MeaningRecords,
  vectors: readonly StoredVector[],
): { added: VectorRow[]; unused: string[] } {
  const unused: string[] = [];
  const texts = records.withKeys(vectors.map(({ key }) => key));
  const added = vectors.flatMap(({ key, vector }) => {
    const known = texts.get(key);
    if (known === undefined) unused.push(key);
    return (known ?? []).map((text) => ({ ...text, vector }));
  });
  return { added, unused };
}

function notesWithout(rows: VectorRows, places: Iterable<readonly [row: number, note: number]>): number[] {
  const lacking = new Set<number>();
  for (const [row, note] of places) if (!rows.has(row)) lacking.add(note);
  return [...lacking];
}
