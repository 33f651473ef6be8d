import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import type { Principal } from '../contract.ts';
import { callChecked, type TestVault } from '../testing/opened.ts';
import { openTwoSides } from '../testing/two-sides.ts';
import { syncVault } from './operation.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };

const ask = (vault: TestVault, input: object) =>
  callChecked(syncVault, vault.opened.scope(OWNER, undefined, { scopes: ['write'] }), input);
const append = (vault: TestVault, path: string, content: string) =>
  vault.ok('write_note', { action: 'append', path, content });

/** A vault that has a secret which the remote dropped again. */
async function setBack(mode: 'on' | 'pull' | 'push') {
  const sides = await openTwoSides({ 'A.md': 'a\n' }, { sync: { mode } });
  const { vault, here, elsewhere, bare } = sides;
  const before = bare.run('rev-parse', 'main').trim();
  elsewhere({ 'Secret.md': 'password\n' });
  if (mode === 'push') here.run('pull', '-q', bare.dir, 'main:refs/remotes/origin/main');
  if (mode === 'push') here.run('reset', '-q', '--hard', 'origin/main');
  await vault.opened.sync.run();
  bare.run('update-ref', 'refs/heads/main', before);
  return { ...sides, before };
}

describeWithPrograms('a branch that was set back', ['git'], () => {
  it.each(['on', 'push'] as const)('is not undone with sync %s, asked for again and again', async (mode) => {
    const { vault, bare, before } = await setBack(mode);
    await append(vault, 'A.md', 'here');
    for (let round = 0; round < 2; round += 1) {
      const { problem, pushed } = await vault.opened.sync.run();
      expect([problem?.code, pushed]).toEqual(['remote_rewritten', false]);
      expect(problem?.hint).toContain('grove sync accept');
    }
    expect(bare.run('rev-parse', 'main').trim()).toBe(before);
  });

  it('is merged once the owner says so, which brings back what was dropped', async () => {
    const { vault, holds } = await setBack('on');
    expect((await vault.opened.sync.run()).problem?.code).toBe('remote_rewritten');
    const { structured, text } = await ask(vault, { action: 'accept' });
    expect(text).toContain('go back to it with the next push');
    expect(structured.run).toMatchObject({ pushed: true });
    expect(structured.run).not.toHaveProperty('problem');
    expect(holds('Secret.md')).toBe('password\n');
  });

  it('is level again when the vault is set back by hand too', async () => {
    const { vault, here, bare, before, elsewhere, holds } = await setBack('on');
    expect((await vault.opened.sync.run()).problem?.code).toBe('remote_rewritten');
    here.run('reset', '-q', '--hard', 'origin/main');
    expect(await vault.opened.sync.run()).toMatchObject({ problem: null, pushed: false });
    expect(bare.run('rev-parse', 'main').trim()).toBe(before);
    elsewhere({ 'B.md': 'b\n' });
    expect(await vault.opened.sync.run()).toMatchObject({ problem: null, pulled: 'fast_forward' });
    expect(holds('Secret.md')).toBeNull();
  });
});

describeWithPrograms('the branch of the remote', ['git'], () => {
  it('is not made beside others unless that is asked for', async () => {
    const { vault, here, bare, elsewhere } = await openTwoSides({ 'A.md': 'a\n' }, { sync: { mode: null } });
    await ask(vault, { action: 'on' });
    here.run('branch', '-q', '-m', 'main', 'master');
    elsewhere({ 'B.md': 'b\n' });
    for (const action of ['on', 'push']) {
      await ask(vault, { action });
      const { problem, pushed } = await vault.opened.sync.run();
      expect([problem?.code, pushed]).toEqual(['remote_branch_missing', false]);
      expect(problem?.message).toContain('"master"');
    }
    expect(bare.run('branch', '--format=%(refname:short)')).toBe('main\n');
    await ask(vault, { action: 'on', create_branch: true });
    expect(await vault.opened.sync.run()).toMatchObject({ problem: null, pushed: true });
    expect(bare.run('branch', '--format=%(refname:short)')).toBe('main\nmaster\n');
  });

  it('is not made again where it was removed', async () => {
    const { vault, bare } = await openTwoSides({ 'A.md': 'a\n' }, { sync: { mode: 'on' } });
    await vault.opened.sync.run();
    bare.run('update-ref', '-d', 'refs/heads/main');
    await append(vault, 'A.md', 'here');
    expect((await vault.opened.sync.run()).problem?.code).toBe('remote_branch_missing');
    expect(bare.run('for-each-ref')).toBe('');
  });

  it('is not pushed to where git names another address for pushes, and is pulled', async () => {
    const { vault, here, elsewhere, bare } = await openTwoSides({ 'A.md': 'a\n' }, { sync: { mode: 'on' } });
    here.run('config', 'remote.origin.pushurl', 'https://other.example.org/notes.git');
    const tip = elsewhere({ 'B.md': 'b\n' });
    await append(vault, 'A.md', 'here');
    const { pulled, pushed, problem } = await vault.opened.sync.run();
    expect([pulled, pushed, problem?.code]).toEqual(['merged', false, 'sync_unsupported']);
    expect(problem?.message).toContain('remote.origin.pushurl');
    expect(bare.run('rev-parse', 'main').trim()).toBe(tip);
  });
});
