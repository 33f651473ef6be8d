import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, expect, it, vi } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import type { Files } from '../testing/vault-folder.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import type { OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const SOON = { quietMs: 60, longestMs: 600 };

async function open(
  files: Files,
  options: Partial<OpenOwnedVaultOptions> & {
    readonly prepare?: (root: string) => void;
    readonly writes?: boolean;
  } = {},
): Promise<TestVault> {
  const vault = await openTestVault(files, { autocommit: SOON, ...options });
  endings.push(() => vault.close());
  return vault;
}

/** The repository that Grove keeps for a folder without one. */
function ownGit({ opened }: TestVault): SystemGit {
  return new SystemGit(join(opened.stateDir, 'git'));
}

/** A folder that is a repository, with all that is in it committed. */
function asRepository(root: string): void {
  SystemGit.init(root).commit('Mine');
}

function notes(git: SystemGit): string[] {
  if (!git.run('for-each-ref').includes('refs/heads/main')) return [];
  return git.run('ls-tree', '-r', '--name-only', 'HEAD').split('\n').filter(Boolean);
}

function subjects(git: SystemGit): string[] {
  return git.run('log', '--format=%an: %s').trim().split('\n');
}

async function told(vault: TestVault) {
  return (await vault.ok('vault_status', {}, vault.opened.scope({ kind: 'owner', id: 'o', name: 'owner' })))
    .autocommit;
}

const waited = { timeout: 20_000, interval: 20 };

describeWithPrograms('autocommit', ['git'], () => {
  it('commits notes, and nothing else, where the git dir is Grove’s own, with writing switched off', async () => {
    const vault = await open({ 'A.md': 'a\n', 'b/B.md': 'b\n', 'image.png': 'png', '.obsidian/x.md': 'x' });
    const git = ownGit(vault);
    await vi.waitFor(() => expect(notes(git)).toEqual(['A.md', 'b/B.md']), waited);
    expect(subjects(git)).toEqual(['outside edit: Outside edit: 2 notes']);
    await vault.folder.write({ 'A.md': 'changed\n', 'C.md': 'c\n' });
    rmSync(join(vault.folder.root, 'b/B.md'));
    await vi.waitFor(() => expect(notes(git)).toEqual(['A.md', 'C.md']), waited);
    await vi.waitFor(() => expect(git.run('show', 'HEAD:A.md')).toBe('changed\n'), waited);
    // On a busy machine one change may be seen a quiet time before the next.
    for (const subject of subjects(git)) expect(subject).toMatch(/^outside edit: Outside edit: /);
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: true, uncommitted: 0 }), waited);
    expect(git.run('fsck', '--strict')).toBe('');
    expect(vault.opened.writes.on).toBe(false);
  });

  it('leaves a repository of the owner alone until the vault’s file says otherwise', async () => {
    const vault = await open({ 'A.md': 'a\n' }, { prepare: asRepository });
    const git = new SystemGit(vault.folder.root);
    await vault.folder.write({ 'A.md': 'changed\n', 'New.md': 'new\n' });
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: false, uncommitted: 2 }), waited);
    await new Promise((resolve) => setTimeout(resolve, 4 * SOON.quietMs));
    expect(subjects(git)).toEqual(['Ada: Mine']);
    await vault.folder.write({ '.grove/vault.yaml': 'autocommit: true\n' });
    await vault.opened.vault.reconcile();
    await vi.waitFor(() => expect(subjects(git)).toHaveLength(2), waited);
    await vault.opened.writes.settled();
    expect(git.run('status', '--porcelain')).toBe('?? .grove/\n');
    await vault.folder.write({ '.grove/vault.yaml': 'autocommit: false\n', 'A.md': 'again\n' });
    await vault.opened.vault.reconcile();
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: false, uncommitted: 1 }), waited);
  });

  it('commits at its start what was changed while no Grove ran', async () => {
    const vault = await open({ 'A.md': 'a\n', 'B.md': 'b\n' });
    const git = ownGit(vault);
    await vi.waitFor(() => expect(notes(git)).toHaveLength(2), waited);
    await vault.opened.close();
    const before = git.run('rev-parse', 'HEAD').trim();
    await vault.folder.write({ 'A.md': 'meanwhile\n' });
    renameSync(join(vault.folder.root, 'B.md'), join(vault.folder.root, 'Moved.md'));
    const { root, dataDir } = vault.folder;
    const again = await openOwnedVault({ root, dataDir, kind: 'stdio', autocommit: SOON });
    endings.push(() => again.close());
    const changes = ['M\tA.md', 'R100\tB.md\tMoved.md'];
    // In as many commits as a busy machine makes of them.
    await vi.waitFor(
      () =>
        expect(git.run('diff', '-M', '--name-status', before, 'HEAD').trim().split('\n')).toEqual(changes),
      waited,
    );
  });

  it('passes over ignored and filtered notes, links, and what the process may not see', async () => {
    const vault = await open(
      {
        '.gitignore': 'Private/\n',
        '.gitattributes': 'Big.md filter=lfs\n',
        'A.md': 'a\n',
        'Secret/S.md': 's\n',
      },
      {
        prepare: asRepository,
        policy: { ...allowAll, denyPaths: [parsePathRule('Secret')] },
      },
    );
    const git = new SystemGit(vault.folder.root);
    rmSync(join(vault.folder.root, 'A.md'));
    symlinkSync('/etc/hostname', join(vault.folder.root, 'A.md'));
    await vault.folder.write({
      '.grove/vault.yaml': 'autocommit: true\n',
      'Private/P.md': 'p\n',
      'Big.md': 'big\n',
      'Secret/S.md': 'changed\n',
      'Good.md': 'good\n',
    });
    await vault.opened.vault.reconcile();
    await vi.waitFor(() => expect(subjects(git)[0]).toBe('outside edit: Outside edit: Good.md'), waited);
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: true, uncommitted: 0 }), waited);
    expect(git.run('show', '--format=', '--name-only', 'HEAD').trim()).toBe('Good.md');
  });

  it('commits only what lies in the vault where that is a part of a repository', async () => {
    const files = { 'A.md': 'a\n', '.grove/vault.yaml': 'autocommit: true\n' };
    const vault = await open(files, { prepare: (root) => asRepository(dirname(root)) });
    const git = new SystemGit(dirname(vault.folder.root));
    const base = git.run('rev-parse', 'HEAD').trim();
    git.write('Beside.md', 'not in the vault\n');
    await vault.folder.write({ 'A.md': 'changed\n', 'New.md': 'new\n' });
    const committed = () =>
      git.run('log', '--format=', '--name-only', `${base}..HEAD`).trim().split('\n').sort();
    await vi.waitFor(() => expect(committed()).toEqual(['Garden/A.md', 'Garden/New.md']), waited);
  });

  it('knows a note in either Unicode form of its name, and one whose line ends git converts', async () => {
    const name = 'Cafe\u0301.md';
    const vault = await open(
      {
        [name]: 'a\n',
        'Dos.md': 'a\r\n',
        '.gitattributes': '*.md text=auto\n',
        '.grove/vault.yaml': 'autocommit: true\n',
      },
      { prepare: asRepository },
    );
    const git = new SystemGit(vault.folder.root);
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: true, uncommitted: 0 }), waited);
    expect(subjects(git)).toEqual(['Ada: Mine']);
    rmSync(join(vault.folder.root, name));
    await vi.waitFor(() => expect(subjects(git)).toHaveLength(2), waited);
    await vault.opened.writes.settled();
    expect(git.run('status', '--porcelain')).toBe('');
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: true, uncommitted: 0 }), waited);
  });

  it('waits for a merge to end and for git’s lock, says so, and commits then', async () => {
    const vault = await open(
      { 'A.md': 'a\n', '.grove/vault.yaml': 'autocommit: true\n' },
      { prepare: asRepository },
    );
    const git = new SystemGit(vault.folder.root);
    const merge = join(vault.folder.root, '.git/MERGE_HEAD');
    writeFileSync(merge, `${git.run('rev-parse', 'HEAD')}`);
    await vault.folder.write({ 'A.md': 'changed\n' });
    await vault.opened.vault.reconcile();
    await vi.waitFor(async () => expect((await told(vault)).problem).toContain('merge'), waited);
    expect(subjects(git)).toHaveLength(1);
    rmSync(merge);
    await vi.waitFor(() => expect(subjects(git)).toHaveLength(2), waited);
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: true, uncommitted: 0 }), waited);
    await vault.opened.writes.settled();
    git.run('checkout', '-q', '--detach');
    await vault.folder.write({ 'A.md': 'detached\n' });
    await vault.opened.vault.reconcile();
    await vi.waitFor(async () => expect((await told(vault)).problem).toContain('detached'), waited);
    git.run('checkout', '-q', 'main');
    await vi.waitFor(() => expect(git.run('show', 'main:A.md')).toBe('detached\n'), waited);
  });

  it('does not wait for ever where edits never end', async () => {
    const vault = await open({ 'A.md': 'a\n' }, { autocommit: { quietMs: 60_000, longestMs: 400 } });
    const git = ownGit(vault);
    let edits = 0;
    await vi.waitFor(async () => {
      edits += 1;
      await vault.folder.write({ 'A.md': `edit ${edits}\n` });
      await vault.opened.vault.reconcile();
      expect(notes(git)).toEqual(['A.md']);
    }, waited);
    expect(edits).toBeGreaterThan(1);
  });

  it('takes no note out of the history while the folder is away', async () => {
    const vault = await open({ 'A.md': 'a\n', 'B.md': 'b\n' });
    const git = ownGit(vault);
    await vi.waitFor(() => expect(notes(git)).toHaveLength(2), waited);
    const { root } = vault.folder;
    renameSync(root, `${root}.away`);
    await vault.opened.vault.reconcile();
    await new Promise((resolve) => setTimeout(resolve, 5 * SOON.quietMs));
    expect(notes(git)).toEqual(['A.md', 'B.md']);
    renameSync(`${root}.away`, root);
    expect(existsSync(join(root, 'A.md'))).toBe(true);
  });

  it('commits words of a person on their own before those of an agent, and leaves none behind', async () => {
    const vault = await open({ 'A.md': 'a\n' }, { writes: true });
    const git = ownGit(vault);
    await vi.waitFor(() => expect(notes(git)).toHaveLength(1), waited);
    await vault.folder.write({ 'A.md': 'a\nby hand\n' });
    await vault.ok('write_note', { path: 'A.md', action: 'append', content: 'by agent' });
    await vault.opened.writes.settled();
    await vi.waitFor(async () => expect(await told(vault)).toEqual({ on: true, uncommitted: 0 }), waited);
    expect(git.run('log', '--format=%an').trim().split('\n')).toEqual([
      'test',
      'outside edit',
      'outside edit',
    ]);
    expect(git.run('status', '--porcelain')).toBe('');
  });
});
