import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskWriteFs, type WriteFs } from '@grove/core';
import { collect, describeWithPrograms, end, SystemGit, spawnScript, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { locateGitDir } from '../../repository/locate.ts';
import { commitPaths, expectSound, openWriter } from '../../testing/git-twin.ts';
import { releaseOwnLock } from './release-own-lock.ts';

const script = fileURLToPath(new URL('../../testing/write-until-killed.ts', import.meta.url));

function repository(): SystemGit {
  const git = SystemGit.init();
  git.write('A.md', 'a\n');
  git.commit();
  return git;
}

const lockOf = (git: SystemGit) => join(git.dir, '.git/index.lock');

/** Writes a note in a process that is killed right before it renames to `target`. */
async function killBefore(git: SystemGit, target: string, ...args: string[]): Promise<void> {
  const child = spawnScript(script, [git.dir, target, ...args]);
  const output = collect(child.stdout);
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  await end(child, 'SIGKILL');
  expect(output()).toBe('held\n');
}

async function release(git: SystemGit): Promise<string> {
  return releaseOwnLock((await locateGitDir(git.dir))!);
}

describeWithPrograms('the lock of the index', ['git'], () => {
  it('of another program is waited for, never touched, and named', async () => {
    const git = repository();
    writeFileSync(lockOf(git), 'theirs');
    const before = statSync(lockOf(git));
    await using writer = await openWriter(git.dir);
    await expect(writer.lockIndex(60)).rejects.toMatchObject({
      code: 'git_busy',
      message: expect.stringContaining('index.lock'),
    });
    expect(await release(git)).toBe('foreign');
    expect(readFileSync(lockOf(git), 'utf8')).toBe('theirs');
    expect(statSync(lockOf(git)).ino).toBe(before.ino);
    expect(readdirSync(join(git.dir, '.git/grove'))).toEqual(['owner-mark']);
    const waiting = writer.lockIndex();
    rmSync(lockOf(git));
    await (await waiting).release();
    expect(existsSync(lockOf(git))).toBe(false);
    expect(await release(git)).toBe('none');
  });

  it('keeps git from adding and committing while it is held', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const lock = await writer.lockIndex();
    expect(readdirSync(join(git.dir, '.git/grove'))).toEqual(['owner-mark']);
    git.write('B.md', 'b\n');
    expect(() => git.run('add', 'B.md')).toThrow(/index.lock/);
    expect(() => git.run('commit', '--allow-empty', '-m', 'x')).toThrow(/index.lock/);
    await lock.release();
    await lock.release();
    git.commit();
    expectSound(git);
  });

  it('is given up, not used, when somebody took it away', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const lock = await writer.lockIndex();
    rmSync(lockOf(git));
    git.write('B.md', 'b\n');
    git.run('add', 'B.md');
    writeFileSync(lockOf(git), 'theirs');
    await expect(lock.commit([{ path: 'A.md', removed: true }])).rejects.toMatchObject({ code: 'git_busy' });
    expect(readFileSync(lockOf(git), 'utf8')).toBe('theirs');
    rmSync(lockOf(git));
    expect(git.run('ls-files')).toBe('A.md\nB.md\n');
  });

  it.each([
    ['index', 'links'],
    ['refs/heads/main', 'links'],
    ['index', 'none'],
    ['refs/heads/main', 'none'],
  ])(
    'left before %s is put in place is known as ours after kill -9 (hard links: %s)',
    async (target, links) => {
      const git = repository();
      await killBefore(git, target, 'New/note.md', links);
      expect(existsSync(lockOf(git))).toBe(true);
      const moved = target === 'index';
      expect(existsSync(join(git.dir, '.git/refs/heads/main.lock'))).toBe(!moved);
      expect(await release(git)).toBe('released');
      expect(existsSync(join(git.dir, '.git/refs/heads/main.lock'))).toBe(false);
      expect(readdirSync(join(git.dir, '.git/grove'))).toEqual(['owner-mark']);
      expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
      expect(git.run('log', '--format=%s')).toBe(moved ? 'New/note.md\nChange\n' : 'Change\n');
      git.commit();
      expectSound(git);
    },
  );

  it('is not taken in a git dir that is gone: nothing is made in its place', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    rmSync(join(git.dir, '.git'), { recursive: true });
    await expect(writer.lockIndex()).rejects.toMatchObject({ code: 'repository_unwritable' });
    expect(existsSync(join(git.dir, '.git'))).toBe(false);
  });

  it('is ours by its mark alone, also in a copy of the git dir, and never that of another vault', async () => {
    const git = repository();
    git.write('notes/n.md', 'n\n');
    git.commit();
    const below = join(git.dir, 'notes');
    for (const [holder, other] of [
      [git.dir, below],
      [below, git.dir],
    ] as const) {
      await using writer = await openWriter(holder);
      await writer.lockIndex();
      expect(await releaseOwnLock((await locateGitDir(other))!)).toBe('foreign');
      expect(await releaseOwnLock((await locateGitDir(holder))!)).toBe('released');
    }
    await using writer = await openWriter(git.dir);
    await writer.lockIndex();
    const copy = join(temporaryFolder(), 'copy');
    cpSync(git.dir, copy, { recursive: true });
    expect(await releaseOwnLock((await locateGitDir(copy))!)).toBe('released');
    expect(await release(git)).toBe('released');
  });

  it('is taken also after somebody tidied up in the git dir', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    await (await writer.lockIndex()).release();
    rmSync(join(git.dir, '.git/grove'), { recursive: true });
    git.write('B.md', 'b\n');
    await commitPaths(writer, git.dir, [{ path: 'B.md', bytes: Buffer.from('b\n') }]);
    expectSound(git);
  });

  it('that the disk did not let go is ours still, and goes when it does', async () => {
    const git = repository();
    let isReadOnly = false;
    const fs: WriteFs = {
      ...diskWriteFs,
      unlink: async (path) => {
        if (isReadOnly) throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
        await diskWriteFs.unlink(path);
      },
    };
    await using writer = await openWriter(git.dir, { fs });
    const lock = await writer.lockIndex();
    isReadOnly = true;
    await expect(lock.release()).rejects.toMatchObject({ code: 'repository_unwritable' });
    await expect(writer.lockIndex()).rejects.toMatchObject({ code: 'repository_unwritable' });
    isReadOnly = false;
    await (await writer.lockIndex(0)).release();
    expect(existsSync(lockOf(git))).toBe(false);
    writeFileSync(lockOf(git), 'theirs');
    await expect(writer.lockIndex(0)).rejects.toMatchObject({ code: 'git_busy' });
    expect(readFileSync(lockOf(git), 'utf8')).toBe('theirs');
  });

  it('is ours too when somebody tidied up in the git dir while it was held', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const lock = await writer.lockIndex();
    rmSync(join(git.dir, '.git/grove'), { recursive: true });
    await lock.release();
    expect(existsSync(lockOf(git))).toBe(false);
  });

  it('leaves nothing behind when there are no hard links and no room for its text', async () => {
    const git = repository();
    const fs: WriteFs = {
      ...diskWriteFs,
      link: () => Promise.reject(Object.assign(new Error('not here'), { code: 'ENOTSUP' })),
      create: async (path, mode) => {
        const handle = await diskWriteFs.create(path, mode);
        if (!path.endsWith('.lock')) return handle;
        return {
          ...handle,
          write: () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })),
        };
      },
    };
    await using writer = await openWriter(git.dir, { fs });
    await expect(writer.lockIndex()).rejects.toMatchObject({ code: 'repository_full' });
    expect(existsSync(lockOf(git))).toBe(false);
  });

  it('works where there are no hard links', async () => {
    const git = repository();
    const fs: WriteFs = {
      ...diskWriteFs,
      link: () => Promise.reject(Object.assign(new Error('not here'), { code: 'ENOTSUP' })),
    };
    await using writer = await openWriter(git.dir, { fs });
    git.write('B.md', 'b\n');
    await commitPaths(writer, git.dir, [{ path: 'B.md', bytes: Buffer.from('b\n') }]);
    expectSound(git);
    const lock = await writer.lockIndex();
    await expect(writer.lockIndex(0)).rejects.toMatchObject({ code: 'git_busy' });
    await lock.release();
    expect(readdirSync(join(git.dir, '.git/grove'))).toEqual(['owner-mark']);
    expect(existsSync(lockOf(git))).toBe(false);
  });

  it.each([
    ['ENOSPC', 'repository_full'],
    ['EROFS', 'repository_unwritable'],
    ['EACCES', 'repository_unwritable'],
  ])('answers %s with %s and leaves nothing behind', async (code, expected) => {
    const git = repository();
    let full = false;
    const fs: WriteFs = {
      ...diskWriteFs,
      async create(path, mode) {
        const handle = await diskWriteFs.create(path, mode);
        if (!full) return handle;
        return { ...handle, write: () => Promise.reject(Object.assign(new Error(code), { code })) };
      },
    };
    await using writer = await openWriter(git.dir, { fs });
    await using lock = await writer.lockIndex();
    full = true;
    await expect(lock.commit([{ path: 'A.md', removed: true }])).rejects.toMatchObject({ code: expected });
    await lock.release();
    const who = { name: 'a', email: 'b', time: 0, offset: 0 };
    const request = { parent: null, changes: [], author: who, committer: who, message: 'm' };
    const built = await writer.buildCommit(request);
    await expect(writer.writeObjects(built)).rejects.toMatchObject({ code: expected });
    expect(existsSync(lockOf(git))).toBe(false);
    expect(readdirSync(join(git.dir, '.git/grove'))).toEqual(['owner-mark']);
    expectSound(git);
    expect(git.run('count-objects')).toMatch(/^3 objects,/);
  });
});
