import { copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalogFile, openCatalogFile } from './catalog-file.ts';
import type { CatalogRow } from './catalog-row.ts';
import { CatalogStore } from './catalog-store.ts';
import { checkpointAside } from './checkpoint.ts';

let folder: ReturnType<typeof makeFolder>;
let path: string;
beforeEach(() => {
  folder = makeFolder('checkpoint');
  path = join(folder.path, 'catalog.db');
});
afterEach(() => folder.remove());

/** Ids of the notes that stand in the database itself, its log left out. */
function movedIds(): number[] {
  const copy = join(folder.path, 'copy.db');
  copyFileSync(path, copy);
  const database = new DatabaseSync(copy);
  try {
    return database
      .prepare('SELECT id FROM notes ORDER BY id')
      .all()
      .map((row) => Number(row.id));
  } finally {
    database.close();
  }
}

function write(store: CatalogStore, id: number, text: string): void {
  store.write({
    sequence: id,
    nextId: id + 1,
    // Of a row the store reads these; the rest is in the text.
    notes: [
      { row: { id, path: `${id}.md`, sequence: id } as unknown as CatalogRow, encoded: text, details: null },
    ],
    removedIds: [],
    refused: [],
    accepted: [],
  });
}

describe('a checkpoint made aside', () => {
  it('moves what the log holds while the database stays open and is written to', async () => {
    const store = new CatalogStore(createCatalogFile(path, 'key'), path);
    write(store, 1, '[1]');
    const checkpoint = checkpointAside(path);
    write(store, 2, '[2]');
    await checkpoint;
    expect(movedIds()).toContain(1);
    await checkpointAside(path);
    expect(movedIds()).toEqual([1, 2]);
    store.close();
  });

  it('makes no file where there is none, and is not stopped by one that is no database', async () => {
    await checkpointAside(path);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, 'this is no database, '.repeat(1_000));
    await checkpointAside(path);
    expect(statSync(path).size).toBe(21_000);
  });

  it('is made once enough was written, and has moved all of a long log when there is room again', async () => {
    const store = new CatalogStore(createCatalogFile(path, 'key'), path);
    const text = JSON.stringify(['x'.repeat(1_000_000)]);
    for (let id = 1; id <= 7; id++) write(store, id, text);
    await store.settled();
    expect(movedIds()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (let id = 8; id <= 24; id++) write(store, id, text);
    await store.room();
    expect(movedIds()).toHaveLength(24);
    const { size } = statSync(`${path}-wal`);
    for (let id = 25; id <= 29; id++) write(store, id, text);
    expect(statSync(`${path}-wal`).size, 'the log is written from its start again').toBe(size);
    store.close();
    const again = openCatalogFile(path);
    expect(again?.database.prepare('SELECT count(*) AS n FROM notes').get()?.n).toBe(29);
    again?.database.close();
  });
});
