import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder, writeFiles } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../engine/native-engine.ts';
import { openSearch } from '../open-search.ts';
import { ask, type NoteFolder, openNoteFolder, paths, request } from '../testing/note-folder.ts';
import { openNotes } from '../testing/open-notes.ts';

const notes = { 'a.md': 'The heron waits.', 'b.md': 'The otter swims.' };

/** A clock that a test moves. */
function steppedClock() {
  let time = Date.now();
  return { now: () => time, step: (ms: number) => (time += ms) };
}

describe('an index that goes wrong', () => {
  it('and was deleted while nothing is written is noticed by a query', async () => {
    const clock = steppedClock();
    const folder = await openNoteFolder(notes, clock);
    try {
      await rm(folder.indexDir, { recursive: true });
      clock.step(10_000);
      expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
      expect(folder.search.health()).toMatchObject({ state: 'ready', documents: 2 });
      expect(folder.search.health().rebuilt).toMatch(/deleted/);
      expect((await readdir(folder.indexDir)).length).toBeGreaterThan(1);
    } finally {
      await folder.close();
    }
  });

  it('and was emptied while it runs is noticed, too', async () => {
    const clock = steppedClock();
    const folder = await openNoteFolder(notes, clock);
    try {
      for (const name of await readdir(folder.indexDir)) await rm(join(folder.indexDir, name));
      await folder.change({ 'c.md': 'The bittern booms.' });
      clock.step(10_000);
      expect(paths(await ask(folder, 'bittern'))).toEqual(['c.md']);
      expect(paths(await ask(folder, 'otter'))).toEqual(['b.md']);
      expect(folder.search.health().rebuilt).toMatch(/deleted/);
    } finally {
      await folder.close();
    }
  });

  it('is built anew again and again, also by parallel queries', async () => {
    const clock = steppedClock();
    const folder = await openNoteFolder(notes, clock);
    try {
      for (let round = 0; round < 3; round++) {
        await rm(folder.indexDir, { recursive: true });
        clock.step(10_000);
        const answers = await Promise.all(Array.from({ length: 8 }, () => ask(folder, 'heron')));
        expect(answers.map(paths)).toEqual(Array.from({ length: 8 }, () => ['a.md']));
      }
    } finally {
      await folder.close();
    }
  });

  it('and has no place to lie leaves the vault usable, and is back once it has', async () => {
    const home = temporaryFolder('search');
    const clock = steppedClock();
    const root = join(home, 'notes');
    const dir = join(home, 'state', 'blocked', 'lexical');
    writeFiles(root, { 'a.md': notes['a.md'] });
    writeFiles(home, { 'state/blocked': 'a file where a folder should be' });
    const vault = await openNotes(root, join(home, 'state'));
    const search = await openSearch({ vault, dir, clock });
    const heron = () => search.search(vault.ownerView(), request([{ type: 'lex', query: 'heron' }]));
    try {
      await expect(search.ready).rejects.toMatchObject({ code: 'index_unavailable' });
      await vault.ready;
      expect(search.health()).toMatchObject({ state: 'failed', documents: 0 });
      expect(search.health().problem).toMatch(/index/);
      await expect(heron()).rejects.toMatchObject({ code: 'index_unavailable', status: 503 });
      await rm(dirname(dir));
      clock.step(60_000);
      expect(paths(await heron())).toEqual(['a.md']);
      expect(search.health()).toMatchObject({ state: 'ready', problem: null });
    } finally {
      await search.close();
      await vault.close();
    }
  });

  it('is tried again after the clock was put back', async () => {
    const home = temporaryFolder('search');
    const clock = steppedClock();
    const root = join(home, 'notes');
    const dir = join(home, 'state', 'blocked', 'lexical');
    writeFiles(root, { 'a.md': notes['a.md'] });
    writeFiles(home, { 'state/blocked': 'a file where a folder should be' });
    const vault = await openNotes(root, join(home, 'state'));
    const search = await openSearch({ vault, dir, clock });
    const heron = () => search.search(vault.ownerView(), request([{ type: 'lex', query: 'heron' }]));
    try {
      await expect(search.ready).rejects.toMatchObject({ code: 'index_unavailable' });
      await vault.ready;
      await expect(heron()).rejects.toMatchObject({ code: 'index_unavailable', status: 503 });
      await rm(dirname(dir));
      clock.step(-365 * 86_400_000);
      expect(paths(await heron())).toEqual(['a.md']);
      expect(search.health()).toMatchObject({ state: 'ready', problem: null });
    } finally {
      await search.close();
      await vault.close();
    }
  });
});

describe('two vaults in one process', () => {
  it('share nothing', async () => {
    const folders: NoteFolder[] = [
      await openNoteFolder(notes),
      await openNoteFolder({ 'z.md': 'The heron sleeps.' }),
    ];
    const [first, second] = folders as [NoteFolder, NoteFolder];
    try {
      const [one, two] = await Promise.all([ask(first, 'heron'), ask(second, 'heron')]);
      expect([paths(one), paths(two)]).toEqual([['a.md'], ['z.md']]);
      await second.close();
      expect(paths(await ask(first, 'otter'))).toEqual(['b.md']);
    } finally {
      await first.close();
    }
  });
});

describe('while the first scan runs', () => {
  it('an index that opens late is not taken for one that was lost', async () => {
    const home = temporaryFolder('search');
    const root = join(home, 'notes');
    writeFiles(root, { 'a.md': 'heron' });
    const vault = await openNotes(root, home);
    const open = async (dir: string) => {
      await expect.poll(() => vault.sequence).toBeGreaterThan(0);
      return await nativeEngine.open(dir);
    };
    const search = await openSearch({ vault, dir: join(home, 'lexical'), engine: { ...nativeEngine, open } });
    try {
      await search.ready;
      expect(search.health()).toMatchObject({ documents: 1, rebuilt: null });
    } finally {
      await search.close();
      await vault.close();
    }
  });

  it('search answers from what is there, and health says that it is not all', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.md`, `heron ${at}`]));
    const home = temporaryFolder('search');
    const root = join(home, 'notes');
    writeFiles(root, many);
    const vault = await openNotes(root, home);
    const search = await openSearch({ vault, dir: join(home, 'lexical') });
    const heron = () => search.search(vault.ownerView(), request([{ type: 'lex', query: 'heron' }]));
    try {
      const early = await heron();
      expect(early.total).toBeLessThan(300);
      expect(search.health().state).toBe('opening');
      await search.ready;
      await expect.poll(async () => (await heron()).total).toBe(300);
      expect(search.health().state).toBe('ready');
    } finally {
      await search.close();
      await vault.close();
    }
  });
});
