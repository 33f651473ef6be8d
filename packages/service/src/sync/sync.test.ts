import { join } from 'node:path';
import { describeWithPrograms, makeRemoteSide, SystemGit } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { callChecked, type Loose, openTestVault, type TestVault } from '../testing/opened.ts';
import { openTwoSides, TEST_SYNC } from '../testing/two-sides.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import { syncVault } from './operation.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const owner = (vault: TestVault): Scope => vault.opened.scope(OWNER, undefined, { scopes: ['write'] });
const waited = { timeout: 120_000, interval: 100 };

async function sync(vault: TestVault, input: object = { action: 'now' }): Promise<Loose> {
  const answer = await callChecked(syncVault, owner(vault), input);
  expect(answer.error, answer.text).toBeNull();
  return answer.structured;
}

const append = (vault: TestVault, path: string, content: string) =>
  vault.ok('write_note', { action: 'append', path, content });

describeWithPrograms('sync with a git remote', ['git'], () => {
  it('is off until it is asked for', async () => {
    const { vault, holds } = await openTwoSides({ 'A.md': 'a\n' }, { sync: { byItself: true } });
    await append(vault, 'A.md', 'more');
    expect(vault.opened.sync.health()).toMatchObject({ mode: 'off', state: 'off', nextAt: null });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(holds('A.md')).toBe('a\n');
  });

  it('pushes what was written, a little later', async () => {
    const { vault, holds, here } = await openTwoSides(
      { 'A.md': 'a\n' },
      { sync: { byItself: true, mode: 'push' } },
    );
    await append(vault, 'A.md', 'more');
    await vi.waitFor(() => expect(holds('A.md')).toBe('a\n\nmore\n'), waited);
    await vi.waitFor(
      () => expect(vault.opened.sync.health()).toMatchObject({ state: 'idle', ahead: 0 }),
      waited,
    );
    expect(here.run('fsck', '--strict')).toBe('');
  });

  it('pushes what was written while it pushed, too', async () => {
    const { vault, server, holds } = await openTwoSides(
      { 'A.md': 'a\n', 'B.md': 'b\n' },
      { sync: { byItself: true, mode: 'push' } },
    );
    server.beforePost = async () => {
      server.beforePost = null;
      await append(vault, 'B.md', 'meanwhile');
      // Which notices the commit before the push ends.
      await vault.opened.sync.look();
    };
    await append(vault, 'A.md', 'more');
    await vi.waitFor(() => expect(holds('A.md')).toBe('a\n\nmore\n'), waited);
    await vi.waitFor(() => expect(holds('B.md')).toBe('b\n\nmeanwhile\n'), waited);
  });

  it('takes what came from elsewhere, and pushes once both are merged', async () => {
    const { vault, elsewhere, holds, here } = await openTwoSides({ 'A.md': 'a\n', 'B.md': 'b\n' });
    await append(vault, 'A.md', 'here');
    elsewhere({ 'B.md': 'b\nthere\n', 'New.md': 'the word aardvark\n' });
    const { run, sync: state } = await sync(vault);
    expect(run).toMatchObject({ pulled: 'merged', pushed: true, conflicts: [] });
    expect(state).toMatchObject({ ahead: 0, behind: 0, host: expect.stringContaining('127.0.0.1') });
    expect([holds('A.md'), holds('B.md')]).toEqual(['a\n\nhere\n', 'b\nthere\n']);
    expect((await vault.ok('query', { query: 'aardvark' })).hits[0].path).toBe('New.md');
    expect(here.run('status', '--porcelain')).toBe('');
    expect(here.run('fsck', '--strict')).toBe('');
    const status = await callChecked(syncVault, owner(vault), { action: 'status' });
    expect(status.structured).toMatchObject({ last_run: { pulled: 'merged', pushed: true } });
    expect(status.text).toContain('Last run: Merged what the remote has: 2 files (B.md, New.md). Pushed.');
  });

  it('fills an empty repository from a folder that is none, whose history Grove keeps', async () => {
    const { bare, server } = await makeRemoteSide({ 'Other.md': 'of another repository\n' });
    const empty = new SystemGit(join(bare.dir, '..', 'empty.git'));
    bare.run('init', '-q', '--bare', '-b', 'main', empty.dir);
    empty.run('config', 'http.receivepack', 'true');
    const vault = await openTestVault(
      { 'A.md': 'a\n', 'Beds/B.md': 'b\n' },
      { writes: true, sync: { ...TEST_SYNC, byItself: true }, autocommit: { quietMs: 60, longestMs: 600 } },
    );
    onTestFinished(() => vault.close());
    await sync(vault, { action: 'on', url: server.url('empty.git') });
    const files = () => empty.run('ls-tree', '-r', '--name-only', 'main').trim().split('\n');
    await vi.waitFor(() => expect(files()).toEqual(['A.md', 'Beds/B.md']), waited);
    await vault.folder.write({ 'A.md': 'by hand\n' });
    await vi.waitFor(() => expect(empty.run('show', 'main:A.md')).toBe('by hand\n'), waited);
    const unrelated = await callChecked(syncVault, owner(vault), {
      action: 'on',
      url: server.url('my notes.git'),
    });
    expect(unrelated.error).toBeNull();
    expect((await sync(vault)).run.problem.message).toContain('shares no commit');
    expect(await vault.ok('get', { path: 'A.md' })).toMatchObject({
      content: expect.stringContaining('by hand'),
    });
  });

  it('is chosen for now and later, and settings of the process win, which is said', async () => {
    const { vault, holds } = await openTwoSides({ 'A.md': 'a\n' }, { sync: { byItself: true } });
    expect((await sync(vault, { action: 'push' })).remarks).toEqual([
      expect.stringContaining('No token is stored'),
    ]);
    await append(vault, 'A.md', 'more');
    await vi.waitFor(() => expect(holds('A.md')).toContain('more'), waited);
    await vault.opened.close();
    const { root, dataDir } = vault.folder;
    const again = await openOwnedVault({ root, dataDir, kind: 'stdio', sync: TEST_SYNC });
    expect(again.sync.health().mode).toBe('push');
    await again.close();
    const other = await openOwnedVault({
      root,
      dataDir,
      kind: 'stdio',
      sync: { ...TEST_SYNC, mode: 'pull' },
    });
    onTestFinished(() => other.close());
    const scope = other.scope(OWNER, undefined, { scopes: ['write'] });
    const { text } = await callChecked(syncVault, scope, { action: 'off' });
    expect(text).toContain('GROVE_SYNC says pull to this process');
    expect(other.sync.health().mode).toBe('pull');
  });

  it('takes what the remote has when it is nudged, and pushes nothing before that is due', async () => {
    const { vault, elsewhere, holds } = await openTwoSides(
      { 'A.md': 'a\n', 'B.md': 'b\n' },
      { sync: { byItself: true, mode: 'on', pushMs: 600_000 } },
    );
    await vi.waitFor(() => expect(vault.opened.sync.health().nextAt).not.toBeNull(), waited);
    await append(vault, 'A.md', 'here');
    elsewhere({ 'B.md': 'b\nthere\n' });
    vault.opened.sync.nudge();
    expect(await vault.opened.sync.ended()).toMatchObject({ pulled: 'merged', pushed: false, problem: null });
    expect(holds('A.md')).toBe('a\n');
    expect((await vault.ok('get', { path: 'B.md' })).content).toContain('there');
  });

  it('says what is not pushed because nobody commits it', async () => {
    const { vault, here, holds } = await openTwoSides(
      { 'A.md': 'a\n' },
      { sync: { mode: 'on', token: 't' } },
    );
    here.write('A.md', 'by hand\n');
    await vault.opened.vault.reconcile();
    await vault.opened.historyRead;
    expect((await sync(vault)).remarks).toEqual([expect.stringMatching(/^1 note changed in the folder/)]);
    expect(holds('A.md')).toBe('a\n');
    here.commit('By hand');
    expect((await sync(vault)).remarks).toEqual([]);
    expect(holds('A.md')).toBe('by hand\n');
  });

  it('tells the owner how it stands under a policy of the process, and nothing of what that denies', async () => {
    const { vault, elsewhere } = await openTwoSides(
      { 'A.md': 'a\n', 'Private/P.md': 'p\n' },
      { policy: { ...allowAll, denyPaths: [parsePathRule('Private')] }, sync: { mode: 'on' } },
    );
    elsewhere({ 'A.md': 'b\n', 'Private/P.md': 'q\n', 'Private/New.md': 'n\n' });
    const answer = await sync(vault);
    expect(answer.run).toMatchObject({ pulled: 'fast_forward', changed: ['A.md'], changed_total: 1 });
    expect((await vault.ok('vault_status')).sync).toMatchObject({ mode: 'on', ahead: 0 });
    const narrow = vault.opened.scope(
      OWNER,
      { ...allowAll, denyPaths: [parsePathRule('A.md')] },
      { scopes: ['write'] },
    );
    const refused = await callChecked(syncVault, narrow, { action: 'status' });
    expect(refused.error?.code).toBe('sync_unsupported');
    expect((await callChecked(syncVault, vault.scope, { action: 'status' })).error?.code).toBe(
      'scope_missing',
    );
  });
});
