import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskWriteFs, type WriteFs } from '@grove/core';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound, leftovers } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { begun, engineOver, openedEngine } from '../testing/opened-engine.ts';

function failure(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'link' });
}

/** A disk without second names (exFAT, some network shares). */
const noLinks: WriteFs = {
  ...diskWriteFs,
  link: async () => {
    throw failure('EPERM');
  },
};

/** A git dir from which no file moves into the vault: another mount of the same disk. */
const apart: WriteFs = {
  ...diskWriteFs,
  link: async (from, to) => {
    if (isApart(from, to)) throw failure('EXDEV');
    return diskWriteFs.link(from, to);
  },
  rename: async (from, to) => {
    if (isApart(from, to)) throw failure('EXDEV');
    return diskWriteFs.rename(from, to);
  },
};

function isApart(from: string, to: string): boolean {
  return from.includes('/.git/') !== to.includes('/.git/');
}

describeWithPrograms('a write on a disk that can do less', ['git'], () => {
  it('makes, replaces and removes notes without hard links', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Gone.md': 'gone\n' }, { fs: noLinks });
    expect(vault.engine.lacksLinks).toBe(false);
    await vault.write('Plan.md', 'two\n');
    expect(vault.engine.lacksLinks).toBe(true);
    await vault.write('New/Note.md', 'new\n');
    await vault.write('Gone.md', null);
    await vault.engine.settled();
    expect([vault.text('Plan.md'), vault.text('New/Note.md'), vault.text('Gone.md')]).toEqual([
      'two\n',
      'new\n',
      null,
    ]);
    expectSound(vault.git);
  });

  it('keeps what a person saves meanwhile without hard links too', async () => {
    let saved = false;
    const vault = await openedEngine(
      { 'Plan.md': 'one\n' },
      {
        fs: noLinks,
        step: (at) => {
          if (at !== 'stored' || saved) return;
          saved = true;
          writeFileSync(join(vault.root, 'Plan.md'), 'by hand\n');
        },
      },
    );
    await vault.write('Plan.md', 'two\n');
    expect(vault.git.run('show', 'HEAD~1:Plan.md')).toBe('by hand\n');
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('works from a folder in the vault where the git dir is on another mount', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n' }, { fs: apart });
    await vault.write('Plan.md', 'two\n');
    await vault.write('New/Note.md', 'new\n');
    await vault.engine.settled();
    expect(readdirSync(join(vault.root, '.grove', 'tmp'))).toEqual(['.gitignore']);
    expectSound(vault.git);
  });

  it('works from a folder in the vault where the git dir lies elsewhere', async () => {
    const git = SystemGit.init(memoryFolder('vault'));
    const elsewhere = join(memoryFolder('git'), 'git');
    renameSync(join(git.dir, '.git'), elsewhere);
    git.run('--git-dir', elsewhere, 'config', 'core.worktree', git.dir);
    writeFileSync(join(git.dir, '.git'), `gitdir: ${elsewhere}\n`);
    git.write('Plan.md', 'one\n');
    git.commit('Begin');
    const vault = await engineOver(git);
    await vault.write('Plan.md', 'two\n');
    await vault.engine.settled();
    expect(readdirSync(join(git.dir, '.grove', 'tmp'))).toEqual(['.gitignore']);
    expect(readFileSync(join(git.dir, 'Plan.md'), 'utf8')).toBe('two\n');
    expect(git.run('status', '--porcelain')).toBe('');
    expect(git.run('fsck', '--strict')).toBe('');
  });

  it('stores CRLF as git does, and says nothing in git where only line ends changed', async () => {
    const git = begun({ '.gitattributes': '*.md text\n', 'Plan.md': 'one\ntwo\n' });
    const vault = await engineOver(git);
    const head = git.run('rev-parse', 'HEAD').trim();
    const outcome = await vault.write('Plan.md', 'one\r\ntwo\r\n');
    expect(outcome.commit).toBe(head);
    expect(vault.text('Plan.md')).toBe('one\r\ntwo\r\n');
    await vault.write('Plan.md', 'one\r\ntwo\r\nthree\r\n');
    expect(git.run('show', 'HEAD:Plan.md')).toBe('one\ntwo\nthree\n');
    await vault.engine.settled();
    expectSound(git);
  });
});

describeWithPrograms('an engine that cannot settle', ['git'], () => {
  it('says so once, and goes on by itself when it can', async () => {
    let block = true;
    let tries = 0;
    const vault = await openedEngine(
      { 'Plan.md': 'one\n' },
      {
        fs: {
          ...diskWriteFs,
          rename: async (from, to) => {
            if (!to.endsWith('/.git/index')) return diskWriteFs.rename(from, to);
            tries += 1;
            if (block) throw failure('EIO');
            return diskWriteFs.rename(from, to);
          },
        },
      },
    );
    await vault.write('Plan.md', 'two\n');
    await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(vault.problems.map(({ what }) => what)).toEqual(['settle']);
    block = false;
    await expect.poll(() => vault.git.run('diff', '--cached', '--name-only'), { timeout: 20_000 }).toBe('');
    await vault.engine.settled();
    expectSound(vault.git);
  });
});

describeWithPrograms('an engine that is opened', ['git'], () => {
  it('beside a lock of another git finishes what was left as soon as git is free', async () => {
    const git = begun({ 'Plan.md': 'one\n' });
    const lock = join(git.dir, '.git', 'index.lock');
    let block = true;
    const stateDir = join(memoryFolder('state'), 'vault');
    // The entries of this write never get into the index: as after a kill before them.
    const first = await engineOver(
      git,
      {
        fs: {
          ...diskWriteFs,
          rename: async (from, to) => {
            if (block && to.endsWith('/.git/index')) throw failure('EIO');
            return diskWriteFs.rename(from, to);
          },
        },
      },
      stateDir,
    );
    await first.write('Plan.md', 'two\n');
    await expect(first.engine.close()).rejects.toMatchObject({ code: 'repository_unwritable' });
    block = false;
    writeFileSync(lock, '');
    const second = await engineOver(git, {}, stateDir);
    first.engine = second.engine;
    expect(second.problems.map(({ what }) => what)).toEqual(['recovery']);
    expect(existsSync(lock)).toBe(true);
    renameSync(lock, `${lock}.away`);
    await second.write('Other.md', 'other\n');
    await second.engine.settled();
    expect(second.text('Plan.md')).toBe('two\n');
    renameSync(`${lock}.away`, join(git.dir, '.git', 'unused'));
    expect(leftovers(git.dir)).toEqual([]);
    expectSound(git);
  });
});
