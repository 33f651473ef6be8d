import { renameSync } from 'node:fs';
import { parsePathRule } from '@grove/vault';
import { afterEach, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
afterEach(() => vault.close());

it('a sound vault has none, and an empty queue', async () => {
  vault = await openTestVault({ 'A.md': 'a\n' }, { writes: true });
  await vault.ok('write_note', { path: 'A.md', action: 'append', content: 'more' });
  expect(await vault.ok('vault_status')).toMatchObject({ degraded: [], queue: { waiting: 0, oldest_ms: 0 } });
});

it('are told with the next step, to the owner alone', async () => {
  const pace = { quietMs: 60_000, longestMs: 60_000, manyLoose: 1 };
  vault = await openTestVault(
    { 'A.md': 'a\n', '.grove/vault.yaml': 'maintenance: false\n' },
    { writes: true, maintenance: pace },
  );
  await vault.ok('write_note', { path: 'A.md', action: 'append', content: 'more' });
  const packing = {
    part: 'git_dir',
    problem: expect.stringContaining('loose objects'),
    next: expect.any(String),
  };
  const { structured, text } = await vault.call('vault_status');
  expect(structured.degraded).toEqual([packing]);
  expect(text).toMatch(/^Degraded, git_dir: .* Next: Pack the objects with: grove maintain$/m);

  const away = `${vault.folder.root} elsewhere`;
  renameSync(vault.folder.root, away);
  await vault.opened.vault.reconcile();
  const rules = { readPaths: [parsePathRule('A.md')], writePaths: [], denyPaths: [], readOnly: false };
  const narrow = vault.opened.scope(STDIO, rules, { scopes: ['read'] });
  expect(await vault.ok('vault_status', {}, narrow)).toMatchObject({ state: 'degraded', remarks: [] });
  expect(await vault.ok('vault_status', {}, narrow)).not.toHaveProperty('degraded');
  const { degraded } = await vault.ok('vault_status');
  renameSync(away, vault.folder.root);
  expect(degraded).toContainEqual({
    part: 'vault',
    problem: expect.stringContaining('vanished'),
    next: expect.stringContaining('Mount the folder'),
  });
});
