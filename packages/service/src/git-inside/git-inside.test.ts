import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { openTestVault } from '../testing/opened.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import type { OpenedVault } from '../workspace/opened-vault.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const SOON = { quietMs: 60, longestMs: 600 };
const WISH = { gitInside: { evenIfSynced: false } };
const waited = { timeout: 20_000, interval: 20 };

async function open(files: Record<string, string>, options: object = {}) {
  const vault = await openTestVault(files, { autocommit: SOON, ...options });
  endings.push(() => vault.close());
  return vault;
}

async function again(
  { root, dataDir }: { root: string; dataDir: string },
  options: object = WISH,
): Promise<OpenedVault> {
  const opened = await openOwnedVault({ root, dataDir, kind: 'server', autocommit: SOON, ...options });
  endings.push(() => opened.close());
  await opened.ready;
  return opened;
}

function notes(git: SystemGit): string[] {
  if (!git.run('for-each-ref').includes('refs/heads/main')) return [];
  return git.run('ls-tree', '-r', '--name-only', 'HEAD').split('\n').filter(Boolean);
}

describeWithPrograms('a .git in the vault’s folder', ['git'], () => {
  it('is made for a folder without a history, and holds its notes soon', async () => {
    const vault = await open({ 'A.md': 'a\n', 'b/B.md': 'b\n', 'image.png': 'png' }, WISH);
    expect(vault.opened.gitInside).toBe('made');
    const git = new SystemGit(vault.folder.root);
    await vi.waitFor(() => expect(notes(git)).toEqual(['A.md', 'b/B.md']), waited);
    await vault.opened.writes.settled();
    expect(git.run('status', '--porcelain')).toBe('?? image.png\n');
    expect(git.run('config', '--list', '--local')).not.toContain('worktree');
    expect(existsSync(join(vault.opened.stateDir, 'git'))).toBe(false);
    expect(readdirSync(vault.folder.root).filter((name) => name.startsWith('.git'))).toEqual(['.git']);
    // From now on the repository is its owner's.
    const tip = git.run('rev-parse', 'HEAD');
    await vault.folder.write({ 'A.md': 'changed\n' });
    const owner = vault.opened.scope({ kind: 'owner', id: 'o', name: 'owner' });
    await vi.waitFor(
      async () =>
        expect((await vault.ok('vault_status', {}, owner)).autocommit).toEqual({ on: false, uncommitted: 1 }),
      waited,
    );
    await new Promise((resolve) => setTimeout(resolve, 4 * SOON.quietMs));
    expect(git.run('rev-parse', 'HEAD')).toBe(tip);
  });

  it('takes along the history that Grove kept, hashes and signatures included', async () => {
    const vault = await open({ 'A.md': 'a\n' }, { writes: true });
    await vault.ok('write_note', { path: 'A.md', action: 'append', content: 'b' });
    await vault.ok('write_note', { path: 'New.md', action: 'append', content: 'n' });
    const { source_hash } = await vault.ok('get', { path: 'A.md' });
    const old = new SystemGit(join(vault.opened.stateDir, 'git'));
    const tip = old.run('rev-parse', 'main').trim();
    const { stateDir } = vault.opened;
    await vault.opened.close();
    const opened = await again(vault.folder);
    expect(opened.gitInside).toBe('moved');
    const git = new SystemGit(vault.folder.root);
    expect(git.run('rev-parse', 'HEAD').trim()).toBe(tip);
    expect(git.run('fsck', '--strict')).toBe('');
    expect(git.run('status', '--porcelain')).toBe('');
    expect(existsSync(join(stateDir, 'git'))).toBe(false);
    const scope = opened.scope({ kind: 'owner', id: 'o', name: 'owner' }, undefined, { scopes: ['write'] });
    await opened.historyRead;
    const { commits } = await vault.ok('vault_status', { mode: 'history', path: 'A.md' }, scope);
    expect(commits[0]).toMatchObject({ key: 'stdio:test', operation: 'append' });
    expect((await vault.ok('get', { path: 'A.md' }, scope)).source_hash).toBe(source_hash);
    await vault.ok(
      'write_note',
      { path: 'A.md', action: 'write', content: 'c\n', if_hash: source_hash },
      scope,
    );
    expect(git.run('show', 'HEAD:A.md')).toBe('c\n');
    await opened.close();
    expect((await again(vault.folder)).gitInside).toBe('there');
  });

  it('is finished after a crash: before its name nothing is there, behind it the old place goes', async () => {
    const vault = await open({ 'A.md': 'a\n' });
    const git = new SystemGit(vault.folder.root);
    const kept = join(vault.opened.stateDir, 'git');
    await vi.waitFor(() => expect(notes(new SystemGit(kept))).toEqual(['A.md']), waited);
    await vault.opened.close();
    // Killed while it copied.
    mkdirSync(join(vault.folder.root, '.git.AbC123_-.grove/objects'), { recursive: true });
    writeFileSync(join(vault.folder.root, '.git.AbC123_-.grove/HEAD'), 'ref: refs/heads/main\n');
    const between = await again(vault.folder, {});
    expect(between.gitInside).toBeNull();
    await between.close();
    cpSync(kept, `${kept}.copy`, { recursive: true });
    const opened = await again(vault.folder);
    expect(opened.gitInside).toBe('moved');
    expect(readdirSync(vault.folder.root).filter((name) => name.startsWith('.git'))).toEqual(['.git']);
    expect(notes(git)).toEqual(['A.md']);
    await opened.close();
    // Killed before the old place went.
    cpSync(`${kept}.copy`, kept, { recursive: true });
    expect((await again(vault.folder)).gitInside).toBe('there');
    expect(existsSync(kept)).toBe(false);
  });

  it('leaves an old place alone whose commits are nowhere else', async () => {
    const vault = await open({ 'A.md': 'a\n' });
    const kept = join(vault.opened.stateDir, 'git');
    await vi.waitFor(() => expect(notes(new SystemGit(kept))).toEqual(['A.md']), waited);
    await vault.opened.close();
    SystemGit.init(vault.folder.root).commit('Mine');
    expect((await again(vault.folder)).gitInside).toBe('there');
    expect(notes(new SystemGit(kept))).toEqual(['A.md']);
  });

  it('is refused in a folder that a sync program keeps, unless that is meant, and changes nothing then', async () => {
    const vault = await open({ 'A.md': 'a\n', '.stfolder/x': '' });
    const { root } = vault.folder;
    await vi.waitFor(
      () => expect(notes(new SystemGit(join(vault.opened.stateDir, 'git')))).toEqual(['A.md']),
      waited,
    );
    await vault.opened.close();
    await expect(again(vault.folder)).rejects.toMatchObject({
      code: 'git_init_refused',
      message: expect.stringContaining('Syncthing'),
      hint: expect.stringContaining('--yes'),
    });
    expect(existsSync(join(root, '.git'))).toBe(false);
    expect((await again(vault.folder, { gitInside: { evenIfSynced: true } })).gitInside).toBe('moved');
  });

  it('is refused inside of another repository, and where a broken .git is', async () => {
    const above = SystemGit.init();
    above.write('Notes/A.md', 'a\n');
    above.commit('Above');
    const dataDir = join(above.dir, '.data');
    const inside = { root: join(above.dir, 'Notes'), dataDir };
    await expect(again(inside)).rejects.toMatchObject({ code: 'git_init_refused' });
    const vault = await open({ 'A.md': 'a\n', '.git/config': '[core]\n' });
    await vault.opened.close();
    await expect(again(vault.folder)).rejects.toMatchObject({ code: 'git_init_refused' });
    expect(readFileSync(join(vault.folder.root, '.git/config'), 'utf8')).toBe('[core]\n');
    rmSync(join(vault.folder.root, '.git'), { recursive: true });
    expect(['made', 'moved']).toContain((await again(vault.folder)).gitInside);
  });

  it('that is gone since is missed: no second history begins without a word, until the owner wants one', async () => {
    const vault = await open({ 'A.md': 'a\n' }, WISH);
    const git = new SystemGit(vault.folder.root);
    await vi.waitFor(() => expect(notes(git)).toEqual(['A.md']), waited);
    await vault.opened.close();
    rmSync(join(vault.folder.root, '.git'), { recursive: true });
    const place = { root: vault.folder.root, dataDir: vault.folder.dataDir };
    const bare = await again(place, {});
    const { history } = await bare.health(bare.vault.ownerView());
    expect(history.problem).toMatch(/the \.git is gone .* --git-init/);
    expect(bare.writes.notes).toBeNull();
    expect(existsSync(join(bare.stateDir, 'git'))).toBe(false);
    await bare.close();
    const anew = await again(place);
    expect(anew.gitInside).toBe('made');
    await vi.waitFor(() => expect(notes(git)).toEqual(['A.md']), waited);
  });
});
