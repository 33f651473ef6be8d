import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, spawnScript, temporaryFolder, writeFiles } from '@grove/testing';
import { expect, it } from 'vitest';
import { openSearch } from '../open-search.ts';
import { request } from '../testing/note-folder.ts';
import { openNotes } from '../testing/open-notes.ts';

const child = fileURLToPath(new URL('../testing/writing-child.ts', import.meta.url));

it.each([3, 8, 20])(
  'an index whose process was killed after %i notes holds every note at the next start',
  async (count) => {
    const home = temporaryFolder('search');
    const [root, state, dir] = [join(home, 'notes'), join(home, 'state'), join(home, 'lexical')];
    writeFiles(root, { 'first.md': 'heron at first' });
    await killedAfter(count, root, state, dir);
    const vault = await openNotes(root, state);
    const search = await openSearch({ vault, dir });
    try {
      await search.ready;
      const view = vault.ownerView();
      // All notes but those with a word that none holds: the last file may have been left empty.
      const { total } = await search.search(view, request([{ type: 'lex', query: '-absent' }]));
      expect(total).toBe(view.size);
      expect(view.size).toBeGreaterThan(count);
      for (let at = 0; at < count; at++) {
        const { hits } = await search.search(view, request([{ type: 'lex', query: `number${at}` }]));
        expect(hits.map(({ row }) => row.path)).toEqual([`n${at}.md`]);
      }
      expect(search.health()).toMatchObject({ state: 'ready', problem: null, documents: view.size });
    } finally {
      await search.close();
      await vault.close();
    }
  },
);

/** Runs the child until it has written `count` notes, and kills it at once. */
async function killedAfter(count: number, ...args: readonly string[]): Promise<void> {
  const running = spawnScript(child, args);
  let lines = 0;
  for await (const chunk of running.stdout) {
    lines += String(chunk).split('\n').length - 1;
    if (lines >= count) running.kill('SIGKILL');
  }
  await end(running, 'SIGKILL');
  expect(lines).toBeGreaterThanOrEqual(count);
}
