import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, describe, expect, it } from 'vitest';
import type { Principal } from '../contract.ts';
import { allOperations } from '../operations.ts';
import { callChecked, openTestVault, type TestVault } from '../testing/opened.ts';
import { revert } from './operation.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const AGENT: Principal = { kind: 'key', id: 'k_agent', name: 'Agent' };
const WRITE = { scopes: ['write'] } as const;

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function written(): Promise<{ vault: TestVault; text(path: string): Promise<string> }> {
  const vault = await openTestVault({ 'Plan.md': '# Plan\n', 'Mine.md': 'mine\n' }, { writes: true });
  endings.push(() => vault.close());
  const agent = vault.opened.scope(AGENT, undefined, WRITE);
  const other = vault.opened.scope({ ...AGENT, id: 'k_other', name: 'Other' }, undefined, WRITE);
  await vault.ok('write_note', { action: 'append', path: 'Plan', content: 'by the agent' }, agent);
  await vault.ok('write_note', { path: 'New.md', content: 'new by the agent\n' }, agent);
  await vault.ok('write_note', { action: 'append', path: 'Mine', content: 'by another' }, other);
  return { vault, text: (path) => readFile(join(vault.folder.root, path), 'utf8') };
}

describe('undoing what one key wrote', () => {
  it('is told in a dry run, done by the owner, found at once, and named in the history', async () => {
    const { vault, text } = await written();
    const owner = vault.opened.scope(OWNER, undefined, WRITE);
    const dry = await callChecked(revert, owner, { key: 'agent', since: '1h', dry_run: true });
    expect(dry.structured).toMatchObject({ key: 'key:k_agent', commits: 2, undone_total: 2, left: [] });
    expect(dry.text).toContain('It would be undone in 2 notes');
    expect(await text('Plan.md')).toContain('by the agent');
    const done = await callChecked(revert, owner, { key: 'k_agent', since: 'today' });
    expect(done.structured).toMatchObject({
      undone_total: 2,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await text('Plan.md')).toBe('# Plan\n');
    expect(await text('Mine.md')).toContain('by another');
    expect((await vault.fail('get', { path: 'New.md' })).code).toBe('note_not_found');
    const { commits } = await vault.ok('vault_status', { mode: 'history', limit: 1 });
    expect(commits).toMatchObject([
      { commit: done.structured.commit, key: 'owner:owner', operation: 'revert', author: 'owner' },
    ]);
    const again = await callChecked(revert, owner, { key: 'key:k_agent', since: 'today' });
    expect(again.structured).toMatchObject({ undone_total: 0, left_total: 0 });
  });

  it.each(['stdio', 'grant', 'trail'] as const)(
    'is done by the kind and the id too, of a %s',
    async (kind) => {
      const { vault, text } = await written();
      const guest = vault.opened.scope({ kind, id: 'k_guest', name: 'Guest' }, undefined, WRITE);
      await vault.ok('write_note', { action: 'append', path: 'Plan', content: 'by a guest' }, guest);
      const owner = vault.opened.scope(OWNER, undefined, WRITE);
      const done = await callChecked(revert, owner, { key: `${kind}:k_guest`, since: 'today' });
      expect(done.structured).toMatchObject({ key: `${kind}:k_guest`, undone_total: 1 });
      expect(await text('Plan.md')).toBe('# Plan\n\nby the agent\n');
    },
  );

  it('brings notes back as private and as executable as they were, also by their old spelling', async () => {
    const modes = { 'Moved.md': 0o600, 'Gone.md': 0o640, 'Run.md': 0o755, 'spelled.md': 0o600 };
    const files = Object.fromEntries(Object.keys(modes).map((path) => [path, `${path}\n`]));
    const vault = await openTestVault(files, { writes: true });
    endings.push(() => vault.close());
    const at = (path: string) => join(vault.folder.root, path);
    for (const [path, mode] of Object.entries(modes)) chmodSync(at(path), mode);
    const agent = vault.opened.scope(AGENT, undefined, WRITE);
    const write = (input: object) => vault.ok('write_note', { if_hash: '*', ...input }, agent);
    await write({ action: 'move', path: 'Moved.md', to: 'a/Moved.md' });
    await write({ action: 'move', path: 'a/Moved.md', to: 'b/Again.md' });
    await write({ action: 'delete', path: 'Gone.md' });
    await write({ action: 'delete', path: 'Run.md' });
    await write({ action: 'move', path: 'spelled.md', to: 'Spelled.md' });
    const owner = vault.opened.scope(OWNER, undefined, WRITE);
    // Of what left the trash git still knows whether it may be run.
    rmSync(at('.trash'), { recursive: true });
    await vault.ok('write_note', { action: 'write', path: 'Gone.md', content: 'x\n' }, agent);
    await write({ action: 'write', path: 'Gone.md', content: files['Gone.md'] });
    await write({ action: 'delete', path: 'Gone.md' });
    chmodSync(at(`.trash/${readdirSync(at('.trash'))[0]}/Gone.md`), 0o640);
    await callChecked(revert, owner, { key: 'k_agent', since: '1h' });
    const now = Object.keys(modes).map((path) => [path, statSync(at(path)).mode & 0o777]);
    expect(Object.fromEntries(now)).toEqual(modes);
    expect(existsSync(at('Spelled.md'))).toBe(false);
  });

  it('is for the owner alone, who sees all of the vault, and in no list of tools', async () => {
    const { vault, text } = await written();
    const denied = { ...allowAll, denyPaths: [parsePathRule('Mine.md')] };
    const input = { key: 'k_agent', since: '1h' };
    const scopes = [
      vault.opened.scope(AGENT, undefined, { scopes: ['write', 'admin'] }),
      vault.opened.scope({ ...OWNER, kind: 'stdio' }, undefined, WRITE),
      vault.opened.scope(OWNER),
      vault.opened.scope(OWNER, denied, WRITE),
    ];
    for (const scope of scopes)
      expect((await callChecked(revert, scope, input)).error?.code).toMatch(
        /^(?:scope_missing|writes_unavailable)$/,
      );
    expect(await text('Plan.md')).toContain('by the agent');
    expect(allOperations).not.toContain(revert);
    const owner = vault.opened.scope(OWNER, undefined, WRITE);
    for (const wrong of [{ key: 'k_agent' }, { since: '1h' }, { ...input, since: 'soon' }])
      expect((await callChecked(revert, owner, wrong)).error?.code).toMatch(/^bad_(?:input|filter)$/);
    expect((await callChecked(revert, owner, { key: 'nobody', since: '1h' })).structured).toMatchObject({
      commits: 0,
      remarks: [expect.stringContaining('No signed commit')],
    });
  });
});
