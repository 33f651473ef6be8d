import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@grove/core';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, expect, it, vi } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import type { Files } from '../testing/vault-folder.ts';
import type { OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const MANY_LOOSE = 60;
const SOON = { quietMs: 50, longestMs: 500, manyLoose: MANY_LOOSE };
const waited = { timeout: 15_000, interval: 50 };

async function open(
  files: Files,
  options: Partial<OpenOwnedVaultOptions> & {
    readonly prepare?: (root: string) => void;
    readonly writes?: boolean;
  } = {},
): Promise<TestVault> {
  const vault = await openTestVault(files, { maintenance: SOON, clock: systemClock, ...options });
  endings.push(() => vault.close());
  return vault;
}

/** A repository with a commit of everything in the folder, and many loose objects that nothing names. */
function withManyLoose(root: string): void {
  const git = SystemGit.init(root);
  git.run('config', 'gc.auto', '6700');
  git.commit('Mine');
  addLoose(git, MANY_LOOSE);
}

function addLoose(git: SystemGit, count: number): void {
  const blobs = Array.from({ length: count }, (_, at) => `blob\ndata ${String(at).length}\n${at}\n`);
  git.feed(blobs.join(''), '-c', 'fastimport.unpackLimit=1000000', 'fast-import', '--quiet');
}

function loose(git: SystemGit): number {
  return Number(/^count: (\d+)$/m.exec(git.run('count-objects', '-v'))?.[1]);
}

const OWNER = { kind: 'owner', id: 'owner', name: 'owner' } as const;

async function told({ ok, opened }: TestVault) {
  return (await ok('vault_status', {}, opened.scope(OWNER))).git_dir;
}

describeWithPrograms('the git dir of a vault', ['git'], () => {
  it('is packed by itself once it is quiet and holds many loose objects, and stays sound', async () => {
    const vault = await open({ 'A.md': 'a\n' }, { prepare: withManyLoose, writes: true });
    const git = new SystemGit(vault.folder.root);
    await vi.waitFor(() => expect(loose(git)).toBe(0), waited);
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    addLoose(git, MANY_LOOSE + 1);
    await vault.ok('write_note', { path: 'A.md', action: 'append', content: 'more' });
    await vi.waitFor(() => expect(loose(git)).toBeLessThan(10), waited);
    await vault.opened.writes.settled();
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    expect(git.run('status', '--porcelain')).toBe('');
  });

  it('is left alone where it holds few, where writing is off, and where the vault or git says so', async () => {
    const few = await open(
      { 'A.md': 'a\n' },
      { prepare: (root) => SystemGit.init(root).commit('Mine'), writes: true },
    );
    const readOnly = await open({ 'A.md': 'a\n' }, { prepare: withManyLoose });
    const off = await open(
      { 'A.md': 'a\n', '.grove/vault.yaml': 'maintenance: false\n' },
      { prepare: withManyLoose, writes: true },
    );
    const gitOff = await open(
      { 'A.md': 'a\n' },
      {
        prepare: (root) => {
          withManyLoose(root);
          new SystemGit(root).run('config', 'gc.auto', '0');
        },
        writes: true,
      },
    );
    await vi.waitFor(
      async () =>
        expect(await told(gitOff)).toMatchObject({ problem: expect.stringContaining('gc.auto = 0') }),
      waited,
    );
    await new Promise((resolve) => setTimeout(resolve, 4 * SOON.quietMs));
    expect((await told(few)).due).toBe(false);
    for (const [vault, maintenance] of [
      [few, true],
      [readOnly, false],
      [off, false],
      [gitOff, true],
    ] as const) {
      expect(loose(new SystemGit(vault.folder.root))).toBeGreaterThan(0);
      expect(await told(vault)).toMatchObject({ packs: 0, maintenance });
    }
    const text = (await off.call('vault_status', {}, off.opened.scope(OWNER))).text;
    expect(text).toContain('loose objects, 0 packs; pack them with: grove maintain');
  });

  it('is packed by hand, whatever is switched on, with word of how far it is', async () => {
    const vault = await open(
      { 'A.md': 'a\n', '.grove/vault.yaml': 'maintenance: false\n' },
      { prepare: withManyLoose },
    );
    const steps: [number, number][] = [];
    const outcome = await vault.opened.maintain((done, total) => steps.push([done, total]));
    expect(outcome).toMatchObject({
      declined: null,
      before: { looseObjects: outcome.packed, packs: 0 },
      after: { looseObjects: 0, packs: 1 },
    });
    expect(steps.length).toBeGreaterThan(MANY_LOOSE);
    expect(steps.every(([done, total]) => done <= total)).toBe(true);
    expect(steps.at(-1)?.[0]).toBe(steps.at(-1)?.[1]);
    expect(await told(vault)).toMatchObject({ loose_objects: 0, packs: 1, due: false });
  });

  it('is packed while notes are written and a shell commits, and nothing of either is lost', async () => {
    const vault = await open({ 'A.md': 'a\n', 'B.md': 'b\n' }, { prepare: withManyLoose, writes: true });
    const git = new SystemGit(vault.folder.root);
    let isWriting = true;
    let packed = 0;
    const packing = async () => {
      while (isWriting) packed += (await vault.opened.maintain()).packed;
    };
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const writing = async () => {
      for (const content of lines) {
        await vault.ok('write_note', { path: 'A.md', action: 'append', content, repeat: true });
        // A program without Grove's lock: objects alone, as an editor's git plugin makes them.
        git.feed(`${content} of a shell\n`, 'hash-object', '-w', '--stdin');
      }
      isWriting = false;
    };
    await Promise.all([packing(), writing()]);
    await vault.opened.writes.settled();
    expect(packed).toBeGreaterThan(MANY_LOOSE + lines.length);
    expect(git.run('show', 'HEAD:A.md').trim().split('\n')).toEqual(expect.arrayContaining(lines));
    expect(git.run('rev-list', '--count', 'HEAD').trim()).toBe('41');
    for (const content of lines) {
      const blob = git.feed(`${content} of a shell\n`, 'hash-object', '--stdin').trim();
      expect(git.run('cat-file', 'blob', blob)).toBe(`${content} of a shell\n`);
    }
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    expect(git.run('status', '--porcelain')).toBe('');
  });

  it('is told of to the owner alone, and not where rules hide a part of the vault', async () => {
    const denied = { ...allowAll, denyPaths: [parsePathRule('Private')] };
    const vault = await open({ 'A.md': 'a\n' });
    const limited = await open({ 'A.md': 'a\n' }, { policy: denied });
    expect(await told(vault)).toMatchObject({ loose_objects: expect.any(Number), bytes: expect.any(Number) });
    expect(await told(limited)).toBeUndefined();
    const key = vault.opened.scope({ kind: 'key', id: 'k', name: 'k' }, denied);
    expect((await vault.ok('vault_status', {}, key)).git_dir).toBeUndefined();
  });

  it('tells why a packing was not done, and does it when it is asked again', async () => {
    const vault = await open(
      { 'A.md': 'a\n' },
      { prepare: withManyLoose, maintenance: { ...SOON, quietMs: 1e6, longestMs: 1e6 } },
    );
    const pid = join(vault.folder.root, '.git', 'gc.pid');
    writeFileSync(pid, `${process.ppid} ${hostname()}`);
    expect((await vault.opened.maintain()).declined).toContain('Another program packs');
    writeFileSync(pid, `99999999 ${hostname()}`);
    expect((await vault.opened.maintain()).packed).toBeGreaterThan(MANY_LOOSE);
  });

  it('that cannot be counted keeps nobody from the other answers of the status', async () => {
    const problems: string[] = [];
    const vault = await open(
      { 'A.md': 'a\n' },
      {
        prepare: (root) => {
          SystemGit.init(root).commit('Mine');
          rmSync(join(root, '.git', 'objects', 'pack'), { recursive: true });
          writeFileSync(join(root, '.git', 'objects', 'pack'), 'no folder\n');
        },
        onProblem: ({ what }) => problems.push(what),
      },
    );
    expect(await told(vault)).toBeUndefined();
    expect(problems).toContain('maintenance');
  });

  it('calls a packing off when the vault is closed, and says so to whoever asked for it', async () => {
    const vault = await open({ 'A.md': 'a\n' }, { prepare: withManyLoose });
    const git = new SystemGit(vault.folder.root);
    let closing: Promise<void> | null = null;
    const packing = vault.opened.maintain(() => {
      closing ??= vault.opened.close();
    });
    await expect(packing).rejects.toMatchObject({ code: 'stopping' });
    await closing;
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('that cannot be written is not packed, and the vault says so', async () => {
    const vault = await open(
      { 'A.md': 'a\n' },
      {
        prepare: (root) => {
          const git = SystemGit.init(root);
          git.commit('Mine');
          mkdirSync(join(root, '.git', 'reftable'), { recursive: true });
          git.run('config', 'core.repositoryFormatVersion', '1');
          git.run('config', 'extensions.refStorage', 'reftable');
        },
      },
    );
    await expect(vault.opened.maintain()).rejects.toMatchObject({ code: 'writes_unavailable' });
    expect(await told(vault)).toBeUndefined();
  });
});
