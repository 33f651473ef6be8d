import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noGitTimes, openVault } from '@grove/vault';
import { expect, it } from 'vitest';
import { openSearch } from '../open-search.ts';
import { request } from '../testing/note-folder.ts';

const child = fileURLToPath(new URL('../testing/writing-child.ts', import.meta.url));

it.each([3, 8, 20])(
  'an index whose process was killed after %i notes holds every note at the next start',
  async (count) => {
    const home = await mkdtemp(join(tmpdir(), 'grove-search-'));
    const [root, state, dir] = [join(home, 'notes'), join(home, 'state'), join(home, 'lexical')];
    await mkdir(root);
    await writeFile(join(root, 'first.md'), 'heron at first');
    await killedAfter(count, root, state, dir);
    const vault = await openVault({
      root,
      stateDir: state,
      slug: 'notes',
      gitDir: null,
      times: noGitTimes,
      poll: true,
    });
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
      await rm(home, { recursive: true, force: true });
    }
  },
);

/** Runs the child until it has written `count` notes, and kills it at once. */
async function killedAfter(count: number, ...args: readonly string[]): Promise<void> {
  const running = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(running, 'exit');
  let lines = 0;
  for await (const chunk of running.stdout) {
    lines += String(chunk).split('\n').length - 1;
    if (lines >= count) running.kill('SIGKILL');
  }
  await ended;
  expect(lines).toBeGreaterThanOrEqual(count);
}
