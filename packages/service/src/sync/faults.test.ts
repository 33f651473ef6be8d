import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskWriteFs, type WriteFs } from '@grove/core';
import { describeWithPrograms, protectBranches } from '@grove/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Principal } from '../contract.ts';
import { callChecked, type Loose, openTestVault, type TestVault } from '../testing/opened.ts';
import { openTwoSides, TEST_SYNC } from '../testing/two-sides.ts';
import { syncVault } from './operation.ts';

const TOKEN = 'a-token-of-somebody';
const waited = { timeout: 40_000, interval: 150 };

const append = (vault: TestVault, path: string, content: string): Promise<Loose> =>
  vault.ok('write_note', { action: 'append', path, content });
const on = { byItself: true, mode: 'on', pullMs: 300, pushMs: 100 } as const;

describeWithPrograms('sync where something is wrong', ['git'], () => {
  it('fetches, merges and pushes again where the remote went on meanwhile', async () => {
    const { vault, elsewhere, server, holds, here } = await openTwoSides({ 'A.md': 'a\n', 'B.md': 'b\n' });
    await append(vault, 'A.md', 'here');
    let isFirst = true;
    // After the look at the remote, before what is pushed.
    server.beforePost = () => {
      if (!server.seen.at(-1)!.url.endsWith('git-receive-pack') || !isFirst) return;
      isFirst = false;
      elsewhere({ 'B.md': 'b\nthere\n' });
    };
    expect(await vault.opened.sync.run()).toMatchObject({ pulled: 'merged', pushed: true, problem: null });
    expect([holds('A.md'), holds('B.md')]).toEqual(['a\n\nhere\n', 'b\nthere\n']);
    expect(here.run('rev-list', '--merges', '--count', 'HEAD').trim()).toBe('1');
    expect(here.run('fsck', '--strict')).toBe('');
  });

  it('pulls from a protected branch all the same, says so, and lets writes go on', async () => {
    const { vault, elsewhere, bare, holds } = await openTwoSides(
      { 'A.md': 'a\n', 'B.md': 'b\n' },
      { sync: on },
    );
    await vi.waitFor(() => expect(vault.opened.sync.health().lastPull).not.toBeNull(), waited);
    protectBranches(bare.dir, 'only reviewed changes');
    // From Grove; whoever works elsewhere comes past the server.
    const words = readFileSync(join(bare.dir, 'hooks/pre-receive'), 'utf8');
    bare.write('hooks/pre-receive', words.replace('\n', '\n[ -n "$REMOTE_USER" ] || exit 0\n'));
    await append(vault, 'A.md', 'here');
    await vi.waitFor(
      () => expect(vault.opened.sync.health().problem).toMatchObject({ code: 'remote_protected' }),
      waited,
    );
    elsewhere({ 'B.md': 'b\nthere\n' });
    const root = vault.folder.root;
    await vi.waitFor(() => expect(readFileSync(join(root, 'B.md'), 'utf8')).toBe('b\nthere\n'), waited);
    await append(vault, 'A.md', 'still');
    await vi.waitFor(
      () => expect(vault.opened.sync.health()).toMatchObject({ state: 'waiting', ahead: expect.any(Number) }),
      waited,
    );
    expect(holds('A.md')).toBe('a\n');
    const health = await vault.ok('vault_status');
    expect(health.sync.problem).toMatchObject({
      code: 'remote_protected',
      hint: expect.stringContaining('branch'),
    });
    expect(health.degraded).toContainEqual(expect.objectContaining({ part: 'sync' }));
    bare.run('config', 'core.hooksPath', '/dev/null');
    expect((await vault.opened.sync.run()).problem).toBeNull();
    expect(holds('A.md')).toContain('still');
    expect(vault.opened.sync.health()).toMatchObject({ state: 'idle', ahead: 0 });
  });

  it('waits for a server that is away, tells it once, and goes on when it is back', async () => {
    const problems: unknown[] = [];
    const { vault, server, holds } = await openTwoSides(
      { 'A.md': 'a\n' },
      { sync: on, onProblem: ({ what, cause }) => problems.push([what, (cause as { code?: string }).code]) },
    );
    server.status = 503;
    await append(vault, 'A.md', 'here');
    await vi.waitFor(() => expect(server.seen.length).toBeGreaterThan(6), waited);
    expect(vault.opened.sync.health()).toMatchObject({
      problem: { code: 'remote_unreachable' },
      nextAt: expect.any(Number),
    });
    expect(new Set(problems.map(String))).toEqual(new Set(['sync,remote_unreachable']));
    expect(problems.length).toBeLessThan(3);
    server.status = null;
    await vi.waitFor(() => expect(holds('A.md')).toContain('here'), waited);
    await vi.waitFor(
      () => expect(vault.opened.sync.health()).toMatchObject({ state: 'idle', problem: null }),
      waited,
    );
  });

  it('says what to do about a token that is no longer good, and shows no token anywhere', async () => {
    const told: unknown[] = [];
    const { vault, server, here } = await openTwoSides(
      { 'A.md': 'a\n' },
      {
        sync: { token: TOKEN },
        onProblem: (problem) => told.push(problem, (problem.cause as Error).message),
      },
    );
    server.token = TOKEN;
    expect(await vault.opened.sync.run()).toMatchObject({ problem: null });
    server.token = 'another';
    const { problem } = await vault.opened.sync.run();
    expect(problem).toMatchObject({ code: 'remote_sign_in', hint: expect.stringContaining('Make a token') });
    const owner: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
    const scope = vault.opened.scope(owner, undefined, { scopes: ['write'] });
    const answer = await callChecked(syncVault, scope, { action: 'status' });
    const everything = [answer, told, vault.opened.sync.health(), await vault.ok('vault_status'), problem];
    for (const text of [JSON.stringify(everything), here.run('config', '--list')]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(Buffer.from(`x-access-token:${TOKEN}`).toString('base64'));
    }
    await vault.opened.sync.keepToken('another');
    expect((await vault.opened.sync.run()).problem?.code).toBe('remote_sign_in');
  });

  it('waits for room on a full disk, and loses nothing', async () => {
    const disk = { isFull: false };
    const fs: WriteFs = {
      ...diskWriteFs,
      create: async (path, mode) => {
        if (disk.isFull) throw Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'open' });
        return await diskWriteFs.create(path, mode);
      },
    };
    const { vault, elsewhere, holds, here } = await openTwoSides(
      { 'A.md': 'a\n', 'B.md': 'b\n' },
      { sync: on, fs },
    );
    await vi.waitFor(() => expect(vault.opened.sync.health().lastPull).not.toBeNull(), waited);
    disk.isFull = true;
    elsewhere({ 'B.md': 'b\nthere\n' });
    await vi.waitFor(
      () => expect(vault.opened.sync.health().problem?.code).toMatch(/^(?:disk|repository)_full$/),
      waited,
    );
    expect((await vault.ok('get', { path: 'B.md' })).content).toContain('b');
    disk.isFull = false;
    await append(vault, 'A.md', 'here');
    await vi.waitFor(() => expect(holds('A.md')).toContain('here'), waited);
    expect(readFileSync(join(vault.folder.root, 'B.md'), 'utf8')).toBe('b\nthere\n');
    await vault.opened.writes.settled();
    expect(here.run('status', '--porcelain')).toBe('');
    expect(here.run('fsck', '--strict')).toBe('');
  });

  it('says in health what a vault lacks that is to be kept level by its settings', async () => {
    const vault = await openTestVault({ 'A.md': 'a\n' }, { writes: true, sync: { ...TEST_SYNC, ...on } });
    onTestFinished(() => vault.close());
    await vi.waitFor(
      () =>
        expect(vault.opened.sync.health()).toMatchObject({
          mode: 'on',
          problem: { code: 'remote_none', hint: expect.stringContaining('grove sync on --url') },
        }),
      waited,
    );
    expect((await append(vault, 'A.md', 'here')).commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('pushes nothing by itself where it may not take what the remote has', async () => {
    const { vault, elsewhere, holds } = await openTwoSides({ 'A.md': 'a\n' }, { sync: { mode: 'push' } });
    elsewhere({ 'B.md': 'b\n' });
    await append(vault, 'A.md', 'here');
    expect(await vault.opened.sync.run()).toMatchObject({
      pulled: null,
      pushed: false,
      problem: { code: 'sync_push_behind' },
    });
    expect(holds('A.md')).toBe('a\n');
  });

  it('only pulls where that was chosen', async () => {
    const { vault, elsewhere, holds, here } = await openTwoSides(
      { 'A.md': 'a\n' },
      { sync: { mode: 'pull' } },
    );
    await append(vault, 'A.md', 'here');
    elsewhere({ 'B.md': 'b\n' });
    expect(await vault.opened.sync.run()).toMatchObject({ pulled: 'merged', pushed: false, problem: null });
    expect(holds('A.md')).toBe('a\n');
    expect(here.run('rev-list', '--count', 'origin/main..HEAD').trim()).toBe('2');
    expect(vault.opened.sync.health()).toMatchObject({ ahead: 2, behind: 0 });
  });

  it('waits for a merge that a person has begun', async () => {
    const { vault, elsewhere, here } = await openTwoSides({ 'A.md': 'a\n' });
    elsewhere({ 'B.md': 'b\n' });
    writeFileSync(join(vault.folder.root, '.git/MERGE_HEAD'), here.run('rev-parse', 'HEAD'));
    expect((await vault.opened.sync.run()).problem).toMatchObject({ code: 'git_in_operation' });
    here.run('merge', '--quit');
    expect((await vault.opened.sync.run()).problem).toBeNull();
  });

  it('ends soon while the remote says nothing, and what it was asked for is called off', async () => {
    const { vault, server } = await openTwoSides({ 'A.md': 'a\n' });
    let isReached = (): void => {};
    const reached = new Promise<void>((resolve) => {
      isReached = resolve;
    });
    server.beforePost = async () => {
      isReached();
      await new Promise(() => {});
    };
    await append(vault, 'A.md', 'here');
    const run = vault.opened.sync.run();
    await reached;
    await vault.opened.close();
    expect((await run).problem).toMatchObject({ code: 'stopping' });
  });

  it('does one run at a time, and one more for all who asked meanwhile', async () => {
    const { vault, server } = await openTwoSides({ 'A.md': 'a\n' });
    const { sync } = vault.opened;
    const first = sync.run();
    // In the moment between two runs.
    const between = first.then(() => sync.run());
    const runs = [sync.run(), sync.run(), sync.run()];
    expect(sync.health().state).toBe('running');
    expect(runs[1]).toBe(runs[2]);
    await Promise.all([first, between, ...runs]);
    const looks = server.seen.filter(({ url }) => url.includes('info/refs'));
    expect(looks).toHaveLength(2);
    expect(await sync.ended()).toMatchObject({ problem: null });
  });
});
