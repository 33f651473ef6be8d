import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FieldWeights, IdSet, type LexicalIndex, openLexicalIndex, type QueryNode } from './index.ts';
import { note, useIndices } from './testing/notes.ts';

const indices = useIndices();

const find = async (index: LexicalIndex, query: QueryNode) =>
  (await index.search({ query, view: null, limit: 100 })).hits.map(({ id }) => id);
const word = (text: string, fields?: FieldWeights): QueryNode => ({
  kind: 'word',
  text,
  ...(fields && { fields }),
});

describe('changes', () => {
  it('are seen after a commit, replace by id and keep their order', async () => {
    const index = await indices.open();
    expect(index).toMatchObject({ pending: 0, payload: null, documentCount: 0 });
    const before = index.generation;
    const writes = [
      index.add([note(1, 'alpha'), note(2, 'beta')]),
      index.remove(Uint32Array.of(1)),
      index.add([note(1, 'gamma')]),
      index.remove(Uint32Array.of(2, 99)),
      index.add([note(3, 'alpha'), note(3, 'delta')]),
    ];
    expect(index.pending).toBe(8);
    expect(await find(index, word('gamma'))).toEqual([]);
    await Promise.all(writes);
    await index.commit('{"sequence":5}');
    expect(index).toMatchObject({ pending: 0, payload: '{"sequence":5}', documentCount: 2 });
    expect(index.generation).toBeGreaterThan(before);
    expect(await find(index, word('alpha'))).toEqual([]);
    expect(await find(index, word('gamma'))).toEqual([1]);
    expect(await find(index, word('delta'))).toEqual([3]);
    expect(await index.text(3)).toBe('delta');
    expect(await index.text(2)).toBeNull();
  });

  it('survive a restart with their payload; uncommitted ones do not', async () => {
    const folder = indices.folder();
    const first = await openLexicalIndex(folder);
    await first.add([note(1, 'kept')]);
    await first.commit('one');
    await first.commit();
    const { generation } = first;
    await first.add([note(2, 'lost')]);
    await first.close();
    const second = await openLexicalIndex(folder, { create: false });
    expect(second).toMatchObject({ payload: 'one', documentCount: 1, generation });
    expect(await find(second, word('kept'))).toEqual([1]);
    await second.close();
  });

  it('of many small commits leave a small folder', async () => {
    const folder = indices.folder();
    const index = await openLexicalIndex(folder);
    for (let id = 0; id < 300; id++) {
      await index.add([note(id % 250, `note number ${id}`)]);
      await index.commit();
    }
    expect(index.documentCount).toBe(250);
    await index.close();
    const reopened = await openLexicalIndex(folder);
    await reopened.commit();
    expect(readdirSync(folder).length).toBeLessThan(250);
    expect(await find(reopened, word('number'))).toHaveLength(100);
    await reopened.close();
  });

  it('with fsync are the same', async () => {
    const index = await openLexicalIndex(indices.folder(), { fsync: true });
    await index.add([note(1, 'synced')]);
    await index.commit();
    expect(await find(index, word('synced'))).toEqual([1]);
    await index.close();
  });
});

describe('opening', () => {
  it('refuses a folder that is open already', async () => {
    const folder = indices.folder();
    const index = await openLexicalIndex(folder);
    await expect(openLexicalIndex(folder)).rejects.toMatchObject({ code: 'index_locked' });
    await index.close();
    await (await openLexicalIndex(folder)).close();
  });

  it('does not make an index when told not to', async () => {
    const folder = join(indices.folder(), 'none');
    await expect(openLexicalIndex(folder, { create: false })).rejects.toMatchObject({
      code: 'index_missing',
    });
  });

  it('tells another version from damage', async () => {
    const folder = indices.folder();
    const index = await openLexicalIndex(folder);
    await index.add([note(1, 'text')]);
    await index.commit();
    await index.close();
    const meta = join(folder, 'meta.json');
    const sound = readFileSync(meta, 'utf8');
    writeFileSync(meta, sound.replaceAll('grove_stemmed_1', 'grove_stemmed_0'));
    await expect(openLexicalIndex(folder)).rejects.toMatchObject({ code: 'index_schema' });
    writeFileSync(meta, sound.slice(0, sound.length / 2));
    await expect(openLexicalIndex(folder)).rejects.toMatchObject({ code: 'index_corrupt' });
    writeFileSync(meta, sound);
    for (const name of readdirSync(folder)) if (name.endsWith('.term')) rmSync(join(folder, name));
    await expect(openLexicalIndex(folder)).rejects.toMatchObject({ code: 'index_corrupt' });
  });

  it.each(['.idx', '.pos', '.term', '.store', '.fast'])(
    'of a cut %s file never ends the process',
    async (ending) => {
      const folder = indices.folder();
      const index = await openLexicalIndex(folder);
      await index.add(Array.from({ length: 200 }, (_, id) => note(id, `word${id} text of some length`)));
      await index.commit();
      await index.close();
      for (const name of readdirSync(folder))
        if (name.endsWith(ending)) {
          const bytes = readFileSync(join(folder, name));
          writeFileSync(join(folder, name), bytes.subarray(0, bytes.length / 2));
        }
      const outcome = await openLexicalIndex(folder).then(
        async (opened) => {
          const damaged = await opened.damagedFiles().catch((error) => error.code);
          await opened.search({ query: word('text'), view: null, limit: 5 }).catch(() => undefined);
          await opened.close();
          return damaged;
        },
        (error) => error.code,
      );
      expect(outcome === 'index_corrupt' || outcome.length > 0).toBe(true);
    },
  );

  it('finds a changed byte by the checksum', async () => {
    const folder = indices.folder();
    const index = await openLexicalIndex(folder);
    await index.add([note(1, 'text '.repeat(2000))]);
    await index.commit();
    expect(await index.damagedFiles()).toEqual([]);
    const store = readdirSync(folder).find((name) => name.endsWith('.store')) ?? '';
    const bytes = readFileSync(join(folder, store));
    bytes[10] = bytes[10]! ^ 1;
    writeFileSync(join(folder, store), bytes);
    expect(await index.damagedFiles()).toEqual([store]);
    await index.close();
  });
});

describe('files cut short under an open index', () => {
  it('are errors with a code, never the end of the process', async () => {
    const folder = indices.folder();
    const index = await openLexicalIndex(folder);
    await index.add(Array.from({ length: 3000 }, (_, id) => note(id, `word${id} some text of a note`)));
    await index.commit();
    for (const name of readdirSync(folder))
      if (/\.(?:store|pos|idx|term|fast)$/.test(name)) truncateSync(join(folder, name), 10);
    const outcomes = await Promise.all(
      [
        index.search({ query: word('text'), view: null, limit: 5, snippets: { chars: 50, perNote: 1 } }),
        index.search({ query: { kind: 'phrase', text: 'some text' }, view: null, limit: 5 }),
        index.scan({ view: null, words: ['some'] }),
        index.text(7),
        index.add([note(9999, 'new')]).then(() => index.commit()),
      ].map((answer) =>
        answer.then(
          () => 'answered',
          (error) => error.code,
        ),
      ),
    );
    for (const outcome of outcomes) expect(outcome).toMatch(/^(?:answered|index_\w+|native_panic)$/);
    expect(outcomes[2]).toBe('index_corrupt');
    expect(await index.damagedFiles().catch((error) => error.code)).not.toEqual([]);
    await index.close();
  });
});

describe('a closed index', () => {
  it('answers everything with a code', async () => {
    const index = await openLexicalIndex(indices.folder());
    await index.close();
    const closed = { code: 'index_closed' };
    await expect(index.add([note(1, '')])).rejects.toMatchObject(closed);
    await expect(index.commit()).rejects.toMatchObject(closed);
    await expect(find(index, word('a'))).rejects.toMatchObject(closed);
    await expect(index.scan({ view: null, words: ['a'] })).rejects.toMatchObject(closed);
    await expect(index.text(1)).rejects.toMatchObject(closed);
    await expect(index.damagedFiles()).rejects.toMatchObject(closed);
    await index.close();
    expect(index.pending).toBe(0);
  });
});

describe('a deleted folder', () => {
  it('leaves reading as it was and fails the next change with a code', async () => {
    const folder = join(indices.folder(), 'index');
    mkdirSync(folder);
    const index = await openLexicalIndex(folder);
    await index.add([note(1, 'still here')]);
    await index.commit();
    rmSync(folder, { recursive: true });
    expect(await find(index, word('still'))).toEqual([1]);
    const change = index.add([note(2, 'new')]).then(() => index.commit());
    await expect(change).rejects.toMatchObject({ code: expect.stringMatching(/^index_/) });
    expect(await find(index, word('still'))).toEqual([1]);
    await index.close().catch(() => undefined);
  });
});

describe('several indices', () => {
  it('are open at once and apart', async () => {
    const [left, right] = await Promise.all([
      indices.open([note(1, 'shared left')]),
      indices.open([note(1, 'shared right'), note(2, 'shared')]),
    ]);
    expect(await Promise.all([find(left!, word('shared')), find(right!, word('right'))])).toEqual([[1], [1]]);
    const all = IdSet.of(Uint32Array.of(1, 2));
    for (const index of [left!, right!, left!]) {
      const { total } = await index.search({ query: word('shared'), view: all, limit: 1 });
      expect(total).toBe(index.documentCount);
    }
  });
});
