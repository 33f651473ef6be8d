import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GroveError } from '@grove/core';
import { makeFolder, writeFiles } from '@grove/testing';
import type { Vault } from '@grove/vault';
import { afterEach, describe, expect, it } from 'vitest';
import type { SearchRequest, VaultSearch } from '../contract.ts';
import { openSearch } from '../open-search.ts';
import { openNotes } from '../testing/open-notes.ts';
import { unusable } from './index-faults.ts';

const FOX: SearchRequest = {
  searches: [{ type: 'lex', query: 'fox' }],
  intent: null,
  within: null,
  limit: 5,
  offset: 0,
  snippets: 1,
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function mount(...args: string[]): boolean {
  return process.platform === 'linux' && spawnSync('mount', args).status === 0;
}

const canMount = (() => {
  const folder = makeFolder('mount');
  const done = mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path);
  if (done) spawnSync('umount', [folder.path]);
  folder.remove();
  return done;
})();

describe.skipIf(!canMount)('an index on a disk that is full (needs the right to mount)', () => {
  it('is said to be unavailable, and built when there is room again', async () => {
    const home = makeFolder('full');
    closers.push(() => home.remove());
    const small = join(home.path, 'small');
    mkdirSync(small);
    mount('-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', small);
    closers.push(() => spawnSync('umount', ['-l', small]));
    const root = join(home.path, 'notes');
    // Words that all differ, so that the index is as large as the notes.
    const words = (note: number): string =>
      Array.from({ length: 3000 }, (_, word) => `w${note}x${word.toString(36)}`).join(' ');
    writeFiles(
      root,
      Object.fromEntries(Array.from({ length: 40 }, (_, note) => [`n${note}.md`, `fox ${words(note)}`])),
    );
    const vault: Vault = await openNotes(root, join(home.path, 'state'));
    closers.push(() => vault.close());
    let now = Date.now();
    const search: VaultSearch = await openSearch({
      vault,
      dir: join(small, 'lexical'),
      clock: { now: () => now },
    });
    closers.push(() => search.close());
    await vault.ready;
    await expect(search.ready).rejects.toThrow();
    expect(search.health().state).toBe('failed');

    // An answer of what is there, or the coded error; never anything else.
    const found = await search.search(vault.ownerView(), FOX).catch((error: unknown) => error);
    if (found instanceof Error) expect(found).toMatchObject({ code: 'index_unavailable' });
    now += 60_000;
    const again = await search.search(vault.ownerView(), FOX).catch((error: unknown) => error);
    if (again instanceof Error) expect(again).toMatchObject({ code: 'index_unavailable' });

    mount('-o', 'remount,size=200m', small);
    now += 60_000;
    await search.search(vault.ownerView(), FOX).catch(() => null);
    await expect.poll(() => search.health().state, { timeout: 20_000 }).toBe('ready');
    expect((await search.search(vault.ownerView(), FOX)).total).toBe(40);
  });
});

describe('an error of the index', () => {
  it('is told by its code, with its cause; other errors stay as they are', () => {
    const failed = Object.assign(new Error('No space left on device'), { code: 'index_failed' });
    expect(unusable(failed)).toMatchObject({ code: 'index_unavailable', cause: failed });
    const other = new TypeError('x');
    expect(unusable(other)).toBe(other);
    const coded = new GroveError('bad_regex', { reason: 'x' });
    expect(unusable(coded)).toBe(coded);
  });
});
