import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, makeRemoteSide, type RemoteSide, SystemGit } from '@grove/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const TOKEN = 'github_pat_0123456789abcdef';
const PLAN = 'one\ntwo\nthree\n';
const waited = { timeout: 40_000, interval: 200 };

let scratch: Scratch;
let side: RemoteSide;
let vault: string;
let args: string[];
beforeEach(async () => {
  scratch = makeScratch();
  side = await makeRemoteSide({ 'Plan.md': PLAN });
  vault = join(scratch.folder, "Ada's notes");
  args = ['--vault', vault, '--data', scratch.data];
});
afterEach(() => scratch.remove());

const clone = (...more: string[]) => runGrove(['clone', side.url, vault, '--data', scratch.data, ...more]);
const grove = (...words: string[]) => runGrove([...words, ...args]);

describeWithPrograms('grove clone and grove sync', ['git'], () => {
  it('clone, serve what is there, pull, write, push', async () => {
    const cloned = await clone();
    expect([cloned.code, cloned.stdout]).toEqual([
      0,
      expect.stringMatching(/^Cloned main at [0-9a-f]{12} into /),
    ]);
    expect(cloned.stdout).toContain(`start --vault '${vault.replace("'", "'\\''")}'`);
    expect((await grove('get', 'Plan')).stdout).toContain('two');
    side.elsewhere({ 'New.md': 'an aardvark\n' });
    const pulled = await grove('sync');
    expect([pulled.code, pulled.stdout]).toEqual([
      0,
      expect.stringContaining('Took what the remote has: 1 file (New.md).'),
    ]);
    expect((await grove('search', 'aardvark')).stdout).toContain('New.md');
    await grove('vault', 'writes', 'on');
    await grove('append', 'Plan', 'four');
    const pushed = JSON.parse((await grove('sync', '--json')).stdout);
    expect(pushed).toMatchObject({ run: { pulled: 'ahead', pushed: true }, sync: { ahead: 0, behind: 0 } });
    expect(side.holds('Plan.md')).toContain('four');
    expect((await grove('sync', 'status')).stdout).toMatch(/^Sync of .* is off: origin is http/);
  });

  it('keeps a token that was given on stdin, readable for one user alone, and shows it nowhere', async () => {
    side.server.token = TOKEN;
    const refused = await clone();
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('does not let this machine in'),
    ]);
    expect(existsSync(vault)).toBe(false);
    const cloned = await runGrove(['clone', side.url, vault, '--data', scratch.data, '--token-stdin'], {
      input: `${TOKEN}\n`,
    });
    expect([cloned.code, cloned.stdout]).toEqual([0, expect.stringContaining('The token is kept')]);
    const kept = join(scratch.data, 'vaults', "ada's-notes", 'sync-token');
    const file = existsSync(kept) ? kept : null;
    expect(file).not.toBeNull();
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const on = await grove('sync', 'on');
    const ran = await grove('sync');
    const status = await grove('status', '--json');
    expect([on.code, ran.code]).toEqual([0, 0]);
    for (const { stdout, stderr } of [cloned, on, ran, status]) expect(stdout + stderr).not.toContain(TOKEN);
    expect(readFileSync(join(vault, '.git/config'), 'utf8')).not.toContain(TOKEN);
    expect((await grove('sync', 'token', '--forget')).stdout).toContain('is forgotten here');
    const failed = await grove('sync');
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('Make a token')]);
    await runGrove(['sync', 'token', ...args], { input: TOKEN });
    expect((await grove('sync')).code).toBe(0);
  });

  it('says in a sentence each what keeps a vault from being kept level', async () => {
    const git = SystemGit.init(scratch.vault);
    git.commit('Mine');
    const here = ['--vault', scratch.vault, '--data', scratch.data];
    const on = (...more: string[]) => runGrove(['sync', 'on', ...more, ...here]);
    expect((await on()).stderr).toContain('has no remote "origin"');
    expect((await on('--url', 'git@github.com:ada/notes.git')).stderr).toContain(
      'https://github.com/ada/notes.git',
    );
    expect((await on('--url', 'https://ada:secret@github.com/ada/notes.git')).stderr).toContain(
      'holds a name or a token',
    );
    expect((await on('--pull-only', '--push-only')).code).toBe(2);
    const inside = ['--vault', join(scratch.vault, 'Garden'), '--data', scratch.data];
    expect((await runGrove(['sync', 'on', '--url', side.url, ...inside])).stderr).toContain(
      'larger repository',
    );
    const set = await on('--url', side.url);
    expect([set.code, set.stdout]).toEqual([
      0,
      expect.stringContaining(`origin is ${side.url}, branch main`),
    ]);
    expect(set.stdout).toContain('No token is stored');
    expect((await runGrove(['sync', 'off', ...here])).stdout).toContain(' is off: ');
  });

  it('goes on by itself while a server runs, and can be asked beside it', async () => {
    await clone();
    await grove('sync', 'on');
    const server = await startServer(args, { GROVE_SYNC_PULL_SECONDS: '1', GROVE_SYNC_PUSH_SECONDS: '1' });
    try {
      side.elsewhere({ 'New.md': 'an aardvark\n' });
      await vi.waitFor(
        async () => expect((await grove('search', 'aardvark')).stdout).toContain('New.md'),
        waited,
      );
      await grove('vault', 'writes', 'on');
      await grove('append', 'Plan', 'four');
      await vi.waitFor(() => expect(side.holds('Plan.md')).toContain('four'), waited);
      side.elsewhere({ 'Last.md': 'a zebra\n' });
      const { stdout, code } = await grove('sync');
      expect([code, stdout]).toEqual([0, expect.stringContaining(' is on: ')]);
      expect((await grove('get', 'Last')).stdout).toContain('a zebra');
      expect((await grove('status')).stdout).toContain('- Sync: on: origin is ');
      expect((await grove('sync', 'off')).stdout).toContain(' is off: ');
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  it('lists conflicts with how they differ, and settles them', async () => {
    await clone();
    await grove('vault', 'writes', 'on');
    side.elsewhere({ 'Plan.md': 'one\nTHEIRS\nthree\n', 'Other.md': 'new\n' });
    const { stdout: read } = await grove('get', 'Plan', '--json');
    await grove('edit', 'Plan', '--find', 'two', '--replace', 'OURS');
    expect(JSON.parse(read)).toBeDefined();
    const ran = await grove('sync');
    expect(ran.stdout).toContain(
      'Both sides changed Plan.md; yours stays, theirs is saved as Plan (conflict ',
    );
    const { conflicts } = JSON.parse((await grove('conflicts', '--json')).stdout);
    expect(conflicts).toMatchObject([
      { note: 'Plan.md', remote: 'origin', diff: expect.stringContaining('+THEIRS') },
    ]);
    expect((await grove('conflicts', 'list')).stdout).toContain('-OURS\n+THEIRS');
    const settled = await grove('conflicts', 'settle', conflicts[0].copy, '--keep', 'theirs');
    expect([settled.code, settled.stdout]).toEqual([0, expect.stringContaining('No conflict is left.')]);
    expect(readFileSync(join(vault, 'Plan.md'), 'utf8')).toBe('one\nTHEIRS\nthree\n');
    expect((await grove('conflicts')).stdout).toBe('There is no conflict to settle.\n');
    expect((await grove('conflicts', 'settle', conflicts[0].copy, '--keep', 'ours')).stderr).toContain(
      'No copy of a conflict',
    );
    await grove('sync');
    expect(side.holds('Plan.md')).toBe('one\nTHEIRS\nthree\n');
  });
});
