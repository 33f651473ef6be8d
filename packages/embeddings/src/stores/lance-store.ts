import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, InTurn } from '@grove/core';
import type { StoredVector, VectorStore } from '@grove/search';
import type { Table } from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { fromArrow, KEY, schemaOf, toArrow } from './arrow-rows.ts';
import { VectorsDamaged } from './damage.ts';
import { clearIndexing, makeIndex } from './indexing/make-index.ts';
import { type LanceLibrary, loadLance } from './lance-library.ts';

const TABLE = 'vectors';
/** Keys in one condition: an expression of any length would be parsed on the stack. */
const KEYS_AT_ONCE = 200;
/**
 * Vectors from which on an index of them is kept: with as many a look at each takes a search longer than the rest of it.
 * An index is a bit a dimension; what it finds is compared exactly by whoever asks.
 */
const INDEXED_FROM = 400_000;
/** Vectors from which on their keys are indexed too: until then a look through all of them is as quick. */
const KEYS_INDEXED_FROM = 10_000;
/** Lists of the index that a search looks into. */
const LISTS = 20;
/** Memory (bytes) that the library may keep of an index and of what it knows of its files. */
const INDEX_CACHE = 256n << 20n;
const FILES_CACHE = 32n << 20n;

export interface LanceStoreOptions {
  /** Vectors from which on {@link VectorStore.nearest} answers; 400,000 when left out. */
  readonly indexedFrom?: number;
  /** Vectors from which on their keys are indexed; 10,000 when left out. */
  readonly keysIndexedFrom?: number;
}

/**
 * Vectors in a table of LanceDB. Changes go one after the other: of `mergeInsert` calls that run at the same time each
 * inserts what none of them has seen yet, so that a key would be there several times.
 *
 * @throws VectorsDamaged when the folder holds no such table or one of other dimensions
 * @throws Error when the library does not load on this machine
 * @example
 * const store = await openLanceStore(join(dir, 'store'), 384);
 * await store.put([{ key: 'k', vector }]);
 */
export async function openLanceStore(
  dir: string,
  dimensions: number,
  { indexedFrom = INDEXED_FROM, keysIndexedFrom = KEYS_INDEXED_FROM }: LanceStoreOptions = {},
): Promise<VectorStore> {
  const { lancedb, arrow } = loadLance();
  const { connect, Index, Session } = lancedb;
  const schema = schemaOf(arrow, dimensions);
  const database = await connect(dir, { session: new Session(INDEX_CACHE, FILES_CACHE) });
  return await guarded(async () => {
    const names = await database.tableNames();
    const table = names.includes(TABLE)
      ? await database.openTable(TABLE)
      : await database.createEmptyTable(TABLE, schema as never);
    const type = (await table.schema()).fields.find(({ name }) => name === 'vector')?.type;
    if (type === undefined || String(type) !== String(schema.fields[1]!.type))
      throw new VectorsDamaged('vectors of other dimensions');
    await clearIndexing(dir);
    const indexKeys = () => table.createIndex('key', { config: Index.btree() });
    const keys = { from: keysIndexedFrom, index: indexKeys };
    const store = new LanceStore({ dir, arrow, table, schema, dimensions, indexedFrom, keys });
    await store.look();
    return store;
  });
}

interface Opened {
  readonly dir: string;
  readonly arrow: LanceLibrary['arrow'];
  readonly table: Table;
  readonly schema: Schema;
  readonly dimensions: number;
  readonly indexedFrom: number;
  readonly keys: KeyIndexing;
}

interface KeyIndexing {
  readonly from: number;
  readonly index: () => Promise<void>;
}

class LanceStore implements VectorStore {
  readonly kind = 'lancedb';
  readonly #dir: string;
  readonly #arrow: LanceLibrary['arrow'];
  readonly #table: Table;
  readonly #schema: Schema;
  readonly #dimensions: number;
  readonly #changes = new InTurn();
  readonly #indexedFrom: number;
  readonly #keys: KeyIndexing;
  #areKeysIndexed = false;
  #isMany = false;
  /** True while there are many vectors and their index is there; new ones enter it when the table is compacted. */
  #isIndexed = false;
  /** False after the library failed to make one: the next start tries again. */
  #canIndex = true;
  #building: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor({ dir, arrow, table, schema, dimensions, indexedFrom, keys }: Opened) {
    this.#dir = dir;
    this.#arrow = arrow;
    this.#table = table;
    this.#schema = schema;
    this.#dimensions = dimensions;
    this.#indexedFrom = indexedFrom;
    this.#keys = keys;
  }

  async *read(): AsyncIterable<readonly StoredVector[]> {
    const batches = this.#table.query().select(['key', 'vector'])[Symbol.asyncIterator]();
    for (;;) {
      const next = await guarded(() => batches.next());
      if (next.done === true) return;
      yield fromArrow(next.value as RecordBatch, this.#dimensions);
    }
  }

  async get(keys: readonly string[]): Promise<readonly StoredVector[]> {
    const found: StoredVector[] = [];
    for (const condition of conditions(keys))
      await guarded(async () => {
        const { batches } = await this.#table.query().where(condition).select(['key', 'vector']).toArrow();
        for (const batch of batches) found.push(...fromArrow(batch as RecordBatch, this.#dimensions));
      });
    return found;
  }

  async put(vectors: readonly StoredVector[]): Promise<void> {
    // The last one of a key counts.
    const distinct = [...new Map(vectors.map((one) => [one.key, one])).values()];
    if (distinct.length === 0) return;
    await this.#change(async () => {
      const known = await this.get(distinct.map(({ key }) => key));
      const rows = toArrow(this.#arrow, this.#schema, distinct);
      // Adding is four times as fast, and what most calls are about.
      if (known.length === 0) await this.#table.add(rows as never);
      else
        await this.#table
          .mergeInsert('key')
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .execute(rows as never);
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const condition of conditions(keys)) await this.#change(() => this.#table.delete(condition));
  }

  async compact(): Promise<void> {
    // Files of an index that is being made belong to no version yet and would be deleted.
    if (this.#building !== null) return;
    // One process owns a vault, and changes go in turn: no other transaction can be under way.
    await this.#change(() => this.#table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true }));
    await guarded(() => this.look());
    await this.#indexKeys();
    if (this.#isMany && !this.#isIndexed && this.#canIndex) this.#building = this.#buildIndex();
  }

  async nearest(vector: Float32Array, limit: number): Promise<readonly string[] | null> {
    if (!this.#isIndexed) return null;
    return await guarded(async () => {
      const query = this.#table.query().nearestTo(vector).column('vector').distanceType('l2');
      const { batches } = await query.nprobes(LISTS).limit(limit).select(['key', '_distance']).toArrow();
      return batches.flatMap((batch) => {
        const keys = batch.getChild('key');
        return Array.from({ length: batch.numRows }, (_, at) => String(keys?.get(at)));
      });
    });
  }

  /** Finds out whether there are many vectors, and which indexes are there. */
  async look(): Promise<void> {
    const [count, indexes] = [await this.#table.countRows(), await this.#table.listIndices()];
    const has = (column: string) => indexes.some(({ columns }) => columns.includes(column));
    this.#isMany = count >= this.#indexedFrom;
    this.#isIndexed = this.#isMany && has('vector');
    this.#areKeysIndexed = has('key') || count < this.#keys.from;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#building;
    await this.#changes.idle();
    this.#table.close();
  }

  /** Without it each change would look through all keys there are. It takes a second; new ones enter it as above. */
  async #indexKeys(): Promise<void> {
    if (this.#areKeysIndexed) return;
    this.#areKeysIndexed = true;
    try {
      await this.#change(() => this.#keys.index());
    } catch {
      // Done without until the next start.
    }
  }

  /** Beside the changes: it takes a minute, and they need not wait. An index that cannot be made is done without. */
  async #buildIndex(): Promise<void> {
    try {
      await makeIndex(this.#dir, TABLE, this.#closing.signal);
      // It was another process that changed the table.
      await this.#change(() => this.#table.checkoutLatest());
      await this.look();
    } catch {
      this.#canIndex = false;
    } finally {
      this.#building = null;
    }
  }

  #change(work: () => Promise<unknown>): Promise<void> {
    return this.#changes.run(async () => {
      // The library would make a folder that somebody deleted anew, with the new rows alone.
      await requireFolder(join(this.#dir, `${TABLE}.lance`));
      await guarded(work);
    });
  }
}

function* conditions(keys: readonly string[]): Generator<string> {
  const ours = [...new Set(keys)].filter((key) => KEY.test(key));
  for (let from = 0; from < ours.length; from += KEYS_AT_ONCE) {
    const part = ours.slice(from, from + KEYS_AT_ONCE).map((key) => `'${key}'`);
    yield `key IN (${part.join(', ')})`;
  }
}

async function requireFolder(folder: string): Promise<void> {
  try {
    if ((await stat(folder)).isDirectory()) return;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    throw new VectorsDamaged(error);
  }
  throw new VectorsDamaged('no folder');
}

/** Whatever the library says of its own files means that they are no good, unless the disk refuses. */
async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VectorsDamaged || error instanceof TypeError) throw error;
    const text = error instanceof Error ? error.message : String(error);
    const refused = /No space left|os error 28|Permission denied|os error 13|Read-only file system/i.exec(
      text,
    );
    if (refused !== null) throw new Error(`the disk refuses (${refused[0]})`, { cause: error });
    throw new VectorsDamaged(error);
  }
}
