import { parsePathRule, type ViewRules } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from './testing/opened.ts';

const DENY: ViewRules = {
  readPaths: [],
  writePaths: [],
  denyPaths: [parsePathRule('Private')],
  readOnly: false,
};
const FILES = {
  '.obsidian/daily-notes.json': '{"folder": "Private/Daily", "format": "YYYY-MM-DD"}',
  'Open.md': 'fox\n',
  'Private/Diary.md': 'fox xylophone\n',
};

describe('facts of the vault that name what a caller may not see', () => {
  let vault: TestVault;
  beforeAll(async () => {
    vault = await openTestVault(FILES);
  });
  afterAll(() => vault.close());

  it('the journal folder of the settings is told to its owner alone', async () => {
    expect((await vault.ok('get', { path: 'today' })).would_be).toBe('Private/Daily/2026-11-30.md');
    const narrow = vault.opened.scope(STDIO, DENY);
    for (const call of [
      await vault.call('get', { path: 'today' }, narrow),
      await vault.call('get', { path: '2026-11-28' }, narrow),
      await vault.call('multi_get', { paths: ['today', 'yesterday'] }, narrow),
      await vault.call('query', { query: 'fox', why: 'today' }, narrow),
      await vault.call('vault_status', { path: 'today' }, narrow),
    ])
      expect(JSON.stringify([call.text, call.structured])).not.toContain('Private');
  });

  it('notes of others that wait to be indexed do not show in the status of a file', async () => {
    const narrow = vault.opened.scope(STDIO, DENY);
    const waiting = { ...narrow, search: { ...narrow.search, health: () => busy(narrow.search.health()) } };
    const { file } = await vault.ok('vault_status', { path: 'Open.md' }, waiting);
    expect(file.status).toBe('indexed');
  });
});

/** The index as it is while a note of another View waits. */
function busy<Health extends { readonly pending: number }>(health: Health): Health {
  return { ...health, pending: 1 };
}

describe('the policy of the process', () => {
  it('keeps its owner from hearing of denied notes: counts, journal folder, files that are none', async () => {
    const vault = await openTestVault(FILES, { policy: DENY });
    try {
      const { index, notes } = await vault.ok('vault_status');
      expect([notes, index.documents]).toEqual([1, 1]);
      expect((await vault.fail('get', { path: 'today' })).code).toBe('note_not_found');
    } finally {
      await vault.close();
    }
  });
});
