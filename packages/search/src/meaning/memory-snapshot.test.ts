import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder, type TestFolder } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyOf, type MeaningText } from './meaning-texts.ts';
import { MemorySnapshot } from './memory-snapshot.ts';
import { MeaningRecords } from './records/meaning-records.ts';
import { VectorRows } from './vector-rows.ts';

/** Records that count how often all of their texts are read. */
class CountedRecords extends MeaningRecords {
  read = 0;

  override columns() {
    this.read += 1;
    return super.columns();
  }
}

let folder: TestFolder;
beforeEach(() => {
  folder = makeFolder('snapshot');
});
afterEach(() => folder.remove());

function open() {
  const records = new CountedRecords(join(folder.path, 'records.db'), 'catalog');
  const rows = new VectorRows(2);
  return { records, rows, snapshot: new MemorySnapshot({ records, rows, dir: folder.path, label: 'model' }) };
}
type Opened = ReturnType<typeof open>;

const textsOf = (words: readonly string[]): MeaningText[] =>
  words.map((word) => ({ key: keyOf(word), text: word, start: 0, end: 1, line: 1 }));

/** Gives a note these texts, and their vectors where asked for. */
async function put({ records, rows }: Opened, note: number, words: readonly string[], vectors = true) {
  await rows.remove(records.replaceTexts(note, textsOf(words)));
  if (!vectors) return;
  await rows.put(() =>
    records.textsOf(note).map((text) => ({ ...text, vector: Float32Array.of(1, text.row) })),
  );
}

async function close({ records, snapshot }: Opened) {
  await snapshot.close('changed');
  records.close();
}

/** Opens, restores and closes again: what was lacking, and how often the texts were read for it. */
async function restart() {
  const opened = open();
  const lacking = await opened.snapshot.restore();
  const { read } = opened.records;
  const held = opened.rows.size;
  opened.records.close();
  return { lacking: lacking?.map(({ note }) => note) ?? null, held, read };
}

const LEVEL = { lacking: [], held: 3, read: 0 };

beforeEach(async () => {
  const opened = open();
  await put(opened, 1, ['heron', 'reed']);
  await put(opened, 2, ['otter']);
  await close(opened);
});

describe('a snapshot of the vectors in memory', () => {
  it('is taken as it is while no text changes, also by a start after one', async () => {
    expect(await restart()).toEqual(LEVEL);
    const opened = open();
    await opened.snapshot.restore();
    await put(opened, 1, ['heron', 'reed'], false);
    opened.records.drop([9]);
    opened.records.close();
    expect(await restart()).toEqual(LEVEL);
  });

  it.each<[string, (opened: Opened) => unknown, number[], number]>([
    ['gained a text', (opened) => put(opened, 3, ['kestrel'], false), [3], 3],
    ['lost a text', (opened) => put(opened, 1, ['heron']), [], 2],
    ['changed a text', (opened) => put(opened, 2, ['moon'], false), [2], 2],
    ['lost a note', ({ records }) => records.drop([1]), [], 1],
    ['put another text first', (opened) => put(opened, 1, ['reed', 'heron'], false), [1, 1], 1],
  ])('is compared when the process was killed after notes %s', async (_, change, lacking, held) => {
    const opened = open();
    await opened.snapshot.restore();
    await change(opened);
    opened.records.close();
    expect(await restart()).toEqual({ lacking, held, read: 1 });
  });

  it('is compared when the process was killed before the records could tell of it, and then no more', async () => {
    const database = new DatabaseSync(join(folder.path, 'records.db'));
    database.exec("DELETE FROM meta WHERE key = 'snapshot'");
    database.close();
    expect(await restart()).toEqual({ ...LEVEL, read: 1 });
    expect(await restart()).toEqual(LEVEL);
  });

  it('is compared when its files are others than those that the records know', async () => {
    const kept = makeFolder('kept');
    const { fileNames } = new VectorRows(2);
    for (const name of fileNames) cpSync(join(folder.path, name), join(kept.path, name));
    const opened = open();
    await opened.snapshot.restore();
    await put(opened, 3, ['kestrel']);
    await close(opened);
    expect(await restart()).toEqual({ lacking: [], held: 4, read: 0 });
    for (const name of fileNames) cpSync(join(kept.path, name), join(folder.path, name));
    kept.remove();
    expect(await restart()).toEqual({ lacking: [3], held: 3, read: 1 });
    expect((await restart()).read).toBe(1);
  });

  it('is compared where it was made while texts had no vector', async () => {
    const opened = open();
    await opened.snapshot.restore();
    await put(opened, 3, ['kestrel'], false);
    await put(opened, 4, ['moon']);
    await close(opened);
    expect(await restart()).toEqual({ lacking: [3], held: 4, read: 1 });
  });
});
