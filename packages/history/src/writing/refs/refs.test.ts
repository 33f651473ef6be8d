import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskWriteFs, type WriteFs } from '@grove/core';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { ADA, commitPaths, expectSound, openWriter } from '../../testing/git-twin.ts';
import type { GitWriter } from '../git-writer.ts';
import type { BuiltCommit } from '../objects/build-commit.ts';

const MAIN = 'refs/heads/main';

function repository(): SystemGit {
  const git = SystemGit.init();
  git.write('A.md', 'a\n');
  git.commit();
  return git;
}

async function build(writer: GitWriter, parent: string | null, path: string): Promise<BuiltCommit> {
  const changes = [{ path, bytes: Buffer.from(`${path}\n`) }];
  const built = await writer.buildCommit({ parent, changes, author: ADA, committer: ADA, message: path });
  await writer.writeObjects(built);
  return built;
}

function move(from: string | null, to: string, ref = MAIN) {
  return { ref, from, to, reflog: 'commit: note', who: ADA };
}

const lines = (git: SystemGit, path: string) =>
  existsSync(join(git.dir, '.git/logs', path))
    ? readFileSync(join(git.dir, '.git/logs', path), 'utf8')
        .split('\n')
        .filter(Boolean)
    : [];

describeWithPrograms('moving a branch', ['git'], () => {
  it('lets one of two writers win, and the other build anew on what it finds', async () => {
    const git = repository();
    await using one = await openWriter(git.dir);
    await using two = await openWriter(git.dir);
    const base = await one.tipOf(MAIN);
    const both = [await build(one, base, 'One.md'), await build(two, base, 'Two.md')];
    const outcomes = await Promise.all([
      one.moveRef(move(base, both[0]!.oid)),
      two.moveRef(move(base, both[1]!.oid)),
    ]);
    expect(outcomes.toSorted()).toEqual(['lost', 'moved']);
    const [winner, loser] = outcomes[0] === 'moved' ? ['One.md', 'Two.md'] : ['Two.md', 'One.md'];
    const tip = await two.tipOf(MAIN);
    expect(await two.moveRef(move(tip, (await build(two, tip, loser)).oid))).toBe('moved');
    expect(git.run('log', '--format=%s')).toBe(`${loser}\n${winner}\nChange\n`);
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('compares with packed refs too, and does not take a branch that is there for a new one', async () => {
    const git = repository();
    git.run('pack-refs', '--all');
    expect(existsSync(join(git.dir, '.git', MAIN))).toBe(false);
    await using writer = await openWriter(git.dir);
    const base = (await writer.tipOf(MAIN))!;
    const next = await build(writer, base, 'B.md');
    expect(await writer.moveRef(move(null, next.oid))).toBe('lost');
    expect(await writer.moveRef(move(next.oid, next.oid))).toBe('lost');
    expect(await writer.moveRef(move(base, next.oid))).toBe('moved');
    git.run('pack-refs', '--all');
    expect(await writer.moveRef(move(base, next.oid))).toBe('lost');
    expect(git.run('rev-parse', 'main').trim()).toBe(next.oid);
  });

  it('waits for a lock of another, and leaves it where it is', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const base = await writer.tipOf(MAIN);
    const next = await build(writer, base, 'B.md');
    const lock = join(git.dir, '.git', `${MAIN}.lock`);
    writeFileSync(lock, '');
    await expect(writer.moveRef(move(base, next.oid))).rejects.toMatchObject({
      code: 'git_busy',
      message: expect.stringContaining('main.lock'),
    });
    expect(existsSync(lock)).toBe(true);
    const moving = writer.moveRef(move(base, next.oid));
    rmSync(lock);
    expect(await moving).toBe('moved');
  });

  it('writes the reflogs that git would write', async () => {
    for (const setting of [null, 'false', 'always']) {
      const git = SystemGit.init();
      const twin = SystemGit.init();
      for (const repo of [git, twin]) {
        if (setting !== null) repo.run('config', 'core.logAllRefUpdates', setting);
      }
      await using writer = await openWriter(git.dir);
      const first = await build(writer, null, 'B.md');
      expect(await writer.moveRef(move(null, first.oid))).toBe('moved');
      expect(await writer.moveRef(move(null, first.oid, 'refs/grove/mark'))).toBe('moved');
      twin.commit();
      twin.run('update-ref', '-m', 'x', 'refs/grove/mark', 'HEAD');
      for (const log of ['HEAD', MAIN, 'refs/grove/mark']) {
        expect(lines(git, log).length, `${setting} ${log}`).toBe(lines(twin, log).length);
      }
    }
    const git = repository();
    const before = lines(git, MAIN);
    await using writer = await openWriter(git.dir);
    const base = (await writer.tipOf(MAIN))!;
    const next = await build(writer, base, 'B.md');
    await writer.moveRef({ ...move(base, next.oid), reflog: 'two\nlines\there' });
    const added = `${base} ${next.oid} Ada <ada@example.org> 1700000000 +0100\ttwo lines here`;
    expect(lines(git, MAIN)).toEqual([...before, added]);
    expect(lines(git, 'HEAD').at(-1)).toBe(added);
  });

  it('stands when only its log cannot be written', async () => {
    const git = repository();
    const fs: WriteFs = {
      ...diskWriteFs,
      append: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    };
    await using writer = await openWriter(git.dir, { fs });
    const base = await writer.tipOf(MAIN);
    const next = await build(writer, base, 'B.md');
    expect(await writer.moveRef(move(base, next.oid))).toBe('moved');
    expect(git.run('rev-parse', 'main').trim()).toBe(next.oid);
  });

  it('goes past empty folders that a removed branch left', async () => {
    const git = repository();
    git.run('branch', 'a/b/c');
    git.run('branch', '-D', 'a/b/c');
    for (const folder of ['refs/heads/a/b/c', 'logs/refs/heads/a']) {
      mkdirSync(join(git.dir, '.git', folder), { recursive: true });
    }
    git.run('symbolic-ref', 'HEAD', 'refs/heads/a');
    await using writer = await openWriter(git.dir);
    await commitPaths(writer, git.dir, [{ path: 'A.md', bytes: Buffer.from('a\n') }]);
    expect(git.run('log', '--format=%s', 'a')).toBe('Change\n');
    expect(lines(git, 'refs/heads/a').length).toBe(1);
  });

  it('commits to the branch that a symbolic branch leads to', async () => {
    const git = repository();
    git.run('symbolic-ref', 'refs/heads/alias', MAIN);
    git.run('symbolic-ref', 'HEAD', 'refs/heads/alias');
    await using writer = await openWriter(git.dir);
    git.write('B.md', 'b\n');
    const { oid } = await commitPaths(writer, git.dir, [{ path: 'B.md', bytes: Buffer.from('b\n') }]);
    expect(git.run('rev-parse', 'main').trim()).toBe(oid);
    expect(git.run('symbolic-ref', 'refs/heads/alias').trim()).toBe(MAIN);
    expectSound(git);
  });

  it('tells a commit that somebody moved away from, and what is an ancestor of what', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const base = (await writer.tipOf(MAIN))!;
    git.write('B.md', 'b\n');
    const { oid } = await commitPaths(writer, git.dir, [{ path: 'B.md', bytes: Buffer.from('b\n') }]);
    expect(await writer.movedFrom(MAIN, oid)).toBe(false);
    expect(await writer.isAncestor(base, oid)).toBe(true);
    expect(await writer.isAncestor(oid, oid)).toBe(true);
    git.run('reset', '-q', '--hard', base);
    expect(await writer.movedFrom(MAIN, oid)).toBe(true);
    expect(await writer.isAncestor(oid, base)).toBe(false);
    expect(await writer.isAncestor('1'.repeat(40), base)).toBe(false);
    // A clock that was years ahead, and a merge.
    git.time += 400_000_000;
    git.run('checkout', '-q', '-b', 'side');
    git.write('C.md', 'c\n');
    const ahead = git.commit();
    git.time -= 800_000_000;
    git.run('checkout', '-q', 'main');
    git.write('D.md', 'd\n');
    git.commit();
    git.run('merge', '-q', '--no-edit', 'side');
    for (let i = 0; i < 5; i++) git.commit();
    expect(await writer.isAncestor(ahead, git.run('rev-parse', 'HEAD').trim())).toBe(true);
  });
});

describeWithPrograms('HEAD', ['git'], () => {
  /** Two branches that disagree about A.md. */
  function divided(): SystemGit {
    const git = repository();
    git.run('checkout', '-q', '-b', 'other');
    git.write('A.md', 'theirs\n');
    git.commit();
    git.run('checkout', '-q', 'main');
    git.write('A.md', 'ours\n');
    git.commit();
    return git;
  }

  it.each([
    ['a merge', ['merge', 'other']],
    ['a cherry-pick', ['cherry-pick', 'other']],
    ['a revert', ['revert', '--no-edit', 'HEAD~1']],
    ['a rebase', ['rebase', 'other']],
    ['a rebase', ['rebase', '--apply', 'other']],
  ])('is not committed to during %s', async (name, command) => {
    const git = divided();
    expect(() => git.run(...command)).toThrow();
    await using writer = await openWriter(git.dir);
    await expect(writer.head(['B.md'])).rejects.toMatchObject({
      code: 'git_in_operation',
      data: { reason: expect.stringContaining(name) },
    });
  });

  it('is not committed to during a bisect or while it is detached', async () => {
    const git = divided();
    await using writer = await openWriter(git.dir);
    git.run('bisect', 'start');
    await expect(writer.head([])).rejects.toMatchObject({
      code: 'git_in_operation',
      data: { reason: expect.stringContaining('bisect') },
    });
    git.run('bisect', 'reset');
    expect((await writer.head([])).ref).toBe(MAIN);
    git.run('checkout', '-q', '--detach');
    await expect(writer.head([])).rejects.toMatchObject({
      code: 'git_in_operation',
      data: { reason: expect.stringContaining('detached') },
    });
  });

  it('is not committed to at a path that is unmerged; others are free', async () => {
    const git = repository();
    git.write('A.md', 'stashed\n');
    git.run('stash', '-q');
    git.write('A.md', 'committed\n');
    git.commit();
    expect(() => git.run('stash', 'pop')).toThrow();
    await using writer = await openWriter(git.dir);
    await expect(writer.head(['A.md'])).rejects.toMatchObject({
      code: 'git_in_operation',
      data: { path: 'A.md' },
    });
    git.write('B.md', 'b\n');
    await commitPaths(writer, git.dir, [{ path: 'B.md', bytes: Buffer.from('b\n') }]);
    expect(git.run('status', '--porcelain')).toBe('UU A.md\n');
    expect(git.run('ls-files', '--unmerged').split('\n').length).toBe(4);
  });
});
