import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeFiles } from '@grove/testing';
import { noGitTimes, openVault } from '@grove/vault';
import { expect, it } from 'vitest';
import { openSearch } from '../open-search.ts';

it('leaves search by words where the disk refuses the index by meaning, and says so', async () => {
  const home = makeFolder('refused');
  const root = join(home.path, 'notes');
  const stateDir = join(home.path, 'state');
  writeFiles(root, { 'Rain.md': 'A barrel of rain.' });
  const vault = await openVault({ root, stateDir, slug: 'notes', gitDir: null, times: noGitTimes });
  const inTheWay = join(home.path, 'a file');
  writeFileSync(inTheWay, '');
  const embedder = {
    id: 'none/3',
    model: 'none',
    host: null,
    dimensions: 3,
    batch: 1,
    embedPassages: () => Promise.reject(new Error('never asked')),
    embedQuery: () => Promise.reject(new Error('never asked')),
    close: async () => {},
  };
  const search = await openSearch({
    vault,
    dir: join(stateDir, 'index', 'lexical'),
    meaning: {
      dir: join(inTheWay, 'vectors'),
      embedder,
      openStore: () => Promise.reject(new Error('never opened')),
    },
  });
  try {
    await search.ready;
    expect(search.health().meaning).toBeNull();
    expect(search.health().meaningProblem).toMatch(/^The disk refuses the index by meaning: /);
    const request = { intent: null, within: null, limit: 5, offset: 0, snippets: 1 };
    const searches = [
      { type: 'lex', query: 'barrel' },
      { type: 'vec', query: 'barrel' },
    ] as const;
    const { hits, remarks } = await search.search(vault.ownerView(), { searches, ...request });
    expect(hits.map(({ row }) => row.path)).toEqual(['Rain.md']);
    expect(remarks).toEqual(['vec was answered by words: no embedding model is set up.']);
    expect(search.embeddedOf(vault.ownerView())).toBeNull();
  } finally {
    await search.close();
    await vault.close();
    home.remove();
  }
});
