import { cpSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder, writeFiles } from '@grove/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openOpenAiCompatible } from '../remote/openai-compatible.ts';
import { openLanceStore } from '../stores/lance-store.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../testing/embedding-server.ts';
import { type MeaningVault, openMeaningVault } from '../testing/meaning-vault.ts';

const DIMENSIONS = 64;
const part = (word: string) => `## ${word}\n\n${`${word} and more of the ${word}. `.repeat(30)}\n\n`;
const NOTES = {
  'a.md': part('heron') + part('reed'),
  'b.md': part('otter') + part('heron'),
  'c.md': part('stone') + part('boat') + part('rope'),
  'd.md': 'The moon over the lake.',
};
/** Of all notes; the parts about herons are alike. */
const TEXTS = 18;
const DISTINCT = 16;
const QUERIES = ['heron', 'boat and rope', 'moon', 'kestrel'];

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let server: EmbeddingServer;
let folder: MeaningVault;
let opened = 0;
beforeAll(async () => {
  server = await startEmbeddingServer({ dimensions: DIMENSIONS, batch: 64 });
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await openMeaningVault(NOTES, opening);
  expect(await folder.embedded()).toBe(true);
  folder = await reopened();
});
afterEach(() => folder.close());

const opening = {
  embedder: async () => openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: DIMENSIONS }),
  openStore: async (...given: Parameters<typeof openLanceStore>) => {
    opened += 1;
    return await openLanceStore(...given);
  },
};
async function reopened(between?: () => void): Promise<MeaningVault> {
  const again = await folder.reopen(() => {
    between?.();
    opened = 0;
  });
  expect(await again.embedded()).toBe(true);
  return again;
}
const snapshots = (dir = folder.dir) => readdirSync(dir).filter((name) => name.endsWith('.snapshot'));
const made = () => folder.search.health().meaning!.embedded;

async function answers(of: MeaningVault) {
  const all: unknown[] = [];
  for (const query of QUERIES)
    for (const types of [['vec'], ['lex', 'vec'], ['like']] as const) {
      const { hits } = await of.ask(types.map((type) => ({ type, query: type === 'like' ? 'b' : query })));
      all.push(hits.map(({ row, score, snippets }) => [row.path, score, snippets]));
    }
  return all;
}

/** What a vault answers that was never closed and knows of no snapshot. */
async function answersAnew(notes: Readonly<Record<string, string>>) {
  const fresh = await openMeaningVault(notes, opening);
  try {
    expect(await fresh.embedded()).toBe(true);
    return await answers(fresh);
  } finally {
    await fresh.close();
  }
}

describe('a start', () => {
  it('opens no store until a vector is to be stored', async () => {
    const wanted = await answersAnew(NOTES);
    opened = 0;
    expect(await answers(folder)).toEqual(wanted);
    expect(folder.search.health().meaning).toMatchObject({ store: 'lancedb', vectors: TEXTS });
    expect([opened, made()]).toEqual([0, 0]);
    await folder.write({ 'e.md': 'A kestrel.' });
    expect(await folder.embedded()).toBe(true);
    expect([opened, made()]).toEqual([1, 1]);
    expect(await answers(folder)).toEqual(await answersAnew({ ...NOTES, 'e.md': 'A kestrel.' }));
  });

  it.each([
    ['is damaged', (path: string) => writeFileSync(path, 'rubbish')],
    ['is cut off', (path: string) => truncateSync(path, 100)],
    ['is gone', (path: string) => rmSync(path)],
  ])('reads the store where a snapshot %s', async (_, harm) => {
    const wanted = await answers(folder);
    for (const name of snapshots()) {
      folder = await reopened(() => harm(join(folder.dir, name)));
      expect([opened, made()]).toEqual([1, 0]);
      expect(await answers(folder)).toEqual(wanted);
      folder = await reopened();
      expect([opened, made()]).toEqual([0, 0]);
    }
  });

  it('reads the store where a snapshot is of another model', async () => {
    const wanted = await answers(folder);
    const other = await openMeaningVault(NOTES, {
      ...opening,
      embedder: async () =>
        openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'another', dimensions: DIMENSIONS }),
    });
    await other.embedded();
    const foreign = await other.reopen();
    folder = await reopened(() => {
      for (const name of snapshots()) cpSync(join(foreign.dir, name), join(folder.dir, name));
    });
    await foreign.close();
    expect([opened, made()]).toEqual([1, 0]);
    expect(await answers(folder)).toEqual(wanted);
  });

  it('takes from a snapshot of before what still holds, and no text for another under its number', async () => {
    const kept = makeFolder('snapshots');
    for (const name of snapshots()) cpSync(join(folder.dir, name), join(kept.path, name));
    // Numbers of the last texts are given away again.
    await folder.remove('d.md');
    await folder.remove('c.md');
    const now = {
      'a.md': part('heron') + part('snow'),
      'b.md': NOTES['b.md'],
      'e.md': `${part('kestrel')}${part('boat')}`,
      'f.md': 'A bell.',
    };
    await folder.write(now);
    expect(await folder.embedded()).toBe(true);
    folder = await reopened(() => {
      for (const name of snapshots(kept.path)) cpSync(join(kept.path, name), join(folder.dir, name));
    });
    kept.remove();
    expect([opened, made()]).toEqual([1, 0]);
    expect(await answers(folder)).toEqual(await answersAnew(now));
  });

  it('takes in what changed while it was closed, and a note that was out of reach when it was open last', async () => {
    const changed = { 'a.md': part('heron') + part('snow'), 'e.md': 'A kestrel.' };
    folder = await reopened(() => {
      writeFiles(folder.root, changed);
      rmSync(join(folder.root, 'c.md'));
    });
    const { 'c.md': _, ...left } = { ...NOTES, ...changed };
    const wanted = await answersAnew(left);
    expect(await answers(folder)).toEqual(wanted);
    const { id } = folder.vault.ownerView().notes()[0]!;
    folder = await reopened(() => {
      const records = new DatabaseSync(join(folder.dir, 'records.db'));
      records.exec(`DELETE FROM notes WHERE id = ${id}; DELETE FROM chunks WHERE note = ${id};
        DELETE FROM meta WHERE key = 'snapshot'`);
      records.close();
    });
    expect(await answers(folder)).toEqual(wanted);
  });

  it('makes the vectors anew where their store was deleted, whatever a snapshot holds', async () => {
    const wanted = await answers(folder);
    folder = await reopened(() => rmSync(join(folder.dir, 'store'), { recursive: true }));
    expect(made()).toBe(DISTINCT);
    expect(await answers(folder)).toEqual(wanted);
  });

  it('finds out by the first new vector that the store was deleted behind it', async () => {
    rmSync(join(folder.dir, 'store'), { recursive: true });
    await folder.write({ 'e.md': 'A kestrel.' });
    await expect.poll(() => folder.search.health().meaning!.done, { timeout: 60_000 }).toBe(5);
    expect(made()).toBeGreaterThan(DISTINCT);
    expect(folder.search.health().meaning!.rebuilt).toContain('damaged or deleted');
  });

  it('removes vectors that no note has needed for long, and none while it is not known what notes need', async () => {
    const crowd = Object.fromEntries(
      Array.from({ length: 2_001 }, (_, at) => [`crowd/${at}.md`, `Number${at}.`]),
    );
    await folder.write(crowd);
    expect(await folder.embedded()).toBe(true);
    // As after a catalog that was made anew: what notes need is found out one by one.
    folder = await reopened(() => rmSync(join(folder.dir, 'records.db')));
    expect(made()).toBe(0);
    rmSync(join(folder.root, 'crowd'), { recursive: true });
    await folder.vault.reconcile();
    folder = await reopened();
    expect(opened).toBe(1);
    folder = await reopened();
    expect([opened, made()]).toEqual([0, 0]);
    const store = await openLanceStore(join(folder.dir, 'store'), DIMENSIONS);
    const left: string[] = [];
    for await (const some of store.read()) left.push(...some.map(({ key }) => key));
    await store.close();
    expect(left).toHaveLength(DISTINCT);
  });
});
