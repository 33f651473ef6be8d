import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@grove/core';
import { afterEach, describe, expect, it } from 'vitest';
import { nativeEngine } from '../engine/native-engine.ts';
import { ask, type NoteFolder, openNoteFolder, paths } from '../testing/note-folder.ts';
import { IndexRenewal, renewalFolder } from './index-renewal.ts';

const herons = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`${at}.md`, `The heron number${at} waits.`]),
);

let folder: NoteFolder | null = null;
afterEach(async () => {
  await folder?.close();
  folder = null;
});

/** A rebuild that has begun and stands still until it is let go on. */
async function heldRebuild(notes: NoteFolder) {
  const gate = Promise.withResolvers<void>();
  const rebuilt = notes.search.rebuild();
  const begun = Promise.withResolvers<void>();
  // The vault waits for each listener before it delivers more.
  const forget = notes.vault.onDelta(async () => {
    begun.resolve();
    await gate.promise;
  });
  await begun.promise;
  return {
    rebuilt,
    goOn: () => {
      forget();
      gate.resolve();
    },
  };
}

/** Asks without pause until the work is done; every answer counts. */
async function totalsWhile(notes: NoteFolder, work: Promise<unknown>): Promise<Set<number | null>> {
  const totals = new Set<number | null>();
  let done = false;
  const finished = work.finally(() => {
    done = true;
  });
  while (!done) {
    const { total } = await ask(notes, 'heron');
    totals.add(total);
  }
  await finished;
  return totals;
}

describe('an index that is built anew while it is sound', () => {
  it('goes on answering with every note until the new one is in its place', async () => {
    folder = await openNoteFolder(herons);
    const before = await readdir(folder.indexDir);
    const totals = await totalsWhile(folder, folder.search.rebuild());
    expect([...totals]).toEqual([400]);
    const health = folder.search.health();
    expect(health).toMatchObject({
      state: 'ready',
      documents: 400,
      pending: 0,
      renewed: null,
      problem: null,
    });
    expect(health.rebuilt).toContain('asked for');
    expect(await readdir(folder.indexDir)).not.toEqual(before);
    expect(await readdir(join(folder.indexDir, '..'))).not.toContain('lexical.new');
  });

  it('says how far the new one is', async () => {
    folder = await openNoteFolder(herons);
    const { rebuilt, goOn } = await heldRebuild(folder);
    expect(folder.search.health()).toMatchObject({ state: 'ready', documents: 400, renewed: 0 });
    goOn();
    await rebuilt;
    expect(folder.search.health()).toMatchObject({ state: 'ready', documents: 400, renewed: null });
  });

  it('takes in, in both, what changes meanwhile', async () => {
    folder = await openNoteFolder(herons);
    const { rebuilt, goOn } = await heldRebuild(folder);
    const changed = folder.change({ '0.md': 'The otter swims.', 'new.md': 'The bittern booms.' });
    goOn();
    await changed;
    await folder.remove('399.md');
    const state = async () => [
      paths(await ask(folder!, 'otter')),
      paths(await ask(folder!, 'bittern')),
      paths(await ask(folder!, '"number399"')),
      (await ask(folder!, 'heron')).total,
    ];
    const expected = [['0.md'], ['new.md'], [], 398];
    expect(await state()).toEqual(expected);
    await rebuilt;
    expect(await state()).toEqual(expected);
    // A restart reads the same from the folder.
    folder = await folder.reopen();
    expect(await state()).toEqual(expected);
    expect(folder.search.health().rebuilt).toBeNull();
  });

  it('is built once for who asks twice', async () => {
    folder = await openNoteFolder(herons);
    await Promise.all([folder.search.rebuild(), folder.search.rebuild()]);
    expect(folder.search.health()).toMatchObject({ state: 'ready', documents: 400 });
  });

  it('and is deleted meanwhile is rebuilt in its place', async () => {
    let now = Date.now();
    folder = await openNoteFolder(herons, { now: () => now });
    const { rebuilt, goOn } = await heldRebuild(folder);
    await rm(folder.indexDir, { recursive: true });
    now += 10_000;
    const early = ask(folder, 'heron');
    await expect.poll(() => folder?.search.health().state).toBe('rebuilding');
    goOn();
    await Promise.all([early, rebuilt]);
    expect((await ask(folder, 'heron')).total).toBe(400);
    expect(folder.search.health()).toMatchObject({ state: 'ready', problem: null });
  });

  it('can be closed meanwhile, and is whole at the next start', async () => {
    folder = await openNoteFolder(herons);
    const { rebuilt, goOn } = await heldRebuild(folder);
    const outcome = rebuilt.catch((error: unknown) => error);
    const closing = folder.search.close();
    goOn();
    await closing;
    expect(await outcome).toMatchObject({ code: 'index_unavailable' });
    folder = await folder.reopen();
    expect((await ask(folder, 'heron')).total).toBe(400);
    expect(folder.search.health().rebuilt).toBeNull();
  });

  it('keeps what changes after it was sealed for the index in its place', async () => {
    folder = await openNoteFolder({ 'a.md': 'The heron waits.' });
    const { vault } = folder;
    const dir = join(folder.root, '..', 'other');
    const renewal = await IndexRenewal.start({ vault, dir, engine: nativeEngine, clock: systemClock });
    vault.onDelta((delta) => renewal.take(delta));
    await renewal.fill();
    await renewal.seal();
    await folder.change({ 'new.md': 'The bittern booms.' });
    const late = await renewal.install();
    expect(late.flatMap(({ upserted }) => upserted.map(({ path }) => path))).toEqual(['new.md']);
    expect(await readdir(dir)).toContain('meta.json');
  });

  it('has no use for what a killed process left of a new one', async () => {
    folder = await openNoteFolder({ 'a.md': 'The heron waits.' });
    folder = await folder.reopen(async () => {
      const left = renewalFolder(folder!.indexDir);
      await mkdir(left);
      await writeFile(join(left, 'meta.json'), 'half of it');
    });
    expect(await readdir(join(folder.indexDir, '..'))).not.toContain('lexical.new');
    await folder.search.rebuild();
    expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
  });
});
