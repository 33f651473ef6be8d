import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, makeFifo, SystemGit, temporaryFolder } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { locateGitDir } from './locate.ts';
import { RefReader } from './refs.ts';

async function reader(dir: string): Promise<RefReader> {
  return new RefReader((await locateGitDir(dir))!);
}

function repository(): SystemGit {
  const git = SystemGit.init(temporaryFolder());
  git.write('A.md', 'a\n');
  return git;
}

describeWithPrograms('RefReader', ['git'], () => {
  it('sees the unborn branch, then its commits, loose and packed', async () => {
    const git = repository();
    const refs = await reader(git.dir);
    expect(await refs.head()).toEqual({ ref: 'refs/heads/main', oid: null });
    const first = git.commit();
    expect(await refs.head()).toEqual({ ref: 'refs/heads/main', oid: first });
    git.run('pack-refs', '--all');
    expect(await refs.head()).toEqual({ ref: 'refs/heads/main', oid: first });
    git.write('A.md', 'b\n');
    const second = git.commit();
    expect(await refs.head()).toEqual({ ref: 'refs/heads/main', oid: second });
    git.run('pack-refs', '--all');
    expect((await refs.head()).oid).toBe(second);
    expect(await refs.resolve('refs/heads/missing')).toBeNull();
  });

  it('sees a detached HEAD and another branch', async () => {
    const git = repository();
    const oid = git.commit();
    const refs = await reader(git.dir);
    git.run('checkout', '-q', '--detach');
    expect(await refs.head()).toEqual({ ref: null, oid });
    git.run('checkout', '-q', '-b', 'feature/with-slash');
    expect(await refs.head()).toEqual({ ref: 'refs/heads/feature/with-slash', oid });
  });

  it('follows symbolic refs, and refuses a ring of them', async () => {
    const git = repository();
    const oid = git.commit();
    git.run('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    const refs = await reader(git.dir);
    expect(await refs.resolve('refs/heads/alias')).toBe(oid);
    writeFileSync(join(git.dir, '.git/refs/heads/main'), 'ref: refs/heads/alias\n');
    await expect(refs.head()).rejects.toMatchObject({ code: 'repository_unreadable' });
  });

  it('keeps the HEADs of linked work trees apart, with shared branches', async () => {
    const git = repository();
    const oid = git.commit();
    const tree = join(temporaryFolder(), 'tree');
    git.run('worktree', 'add', '-q', '-b', 'other', tree);
    const linked = new SystemGit(tree);
    linked.write('B.md', 'b\n');
    linked.time = git.time;
    const there = linked.commit();
    const refs = await reader(tree);
    expect(await refs.head()).toEqual({ ref: 'refs/heads/other', oid: there });
    expect(await refs.resolve('refs/heads/main')).toBe(oid);
    git.run('pack-refs', '--all');
    expect((await refs.head()).oid).toBe(there);
  });

  it('reads a HEAD that is a symbolic link, as very old repositories have', async () => {
    const git = repository();
    const oid = git.commit();
    rmSync(join(git.dir, '.git/HEAD'));
    symlinkSync('refs/heads/main', join(git.dir, '.git/HEAD'));
    expect(await (await reader(git.dir)).head()).toEqual({ ref: 'refs/heads/main', oid });
  });

  describeWithPrograms('RefReader at a FIFO', ['mkfifo'], () => {
    it('does not wait for a FIFO in place of HEAD or a branch', async () => {
      const git = repository();
      git.commit();
      const refs = await reader(git.dir);
      const fifo = (path: string) => {
        rmSync(path);
        makeFifo(path);
      };
      fifo(join(git.dir, '.git/refs/heads/main'));
      expect(await refs.head()).toEqual({ ref: 'refs/heads/main', oid: null });
      fifo(join(git.dir, '.git/HEAD'));
      await expect(refs.head()).rejects.toMatchObject({ code: 'repository_unreadable' });
    });
  });

  it('refuses what a ref file or HEAD must not hold', async () => {
    const git = repository();
    const oid = git.commit();
    const refs = await reader(git.dir);
    const head = join(git.dir, '.git/HEAD');
    const hostile = fc.oneof(
      fc.constantFrom(
        'ref: ../../etc/passwd',
        'ref: refs/../../x',
        'ref: refs/heads/a..b',
        'ref: refs/heads/.x',
      ),
      fc.string().map((text) => `ref: refs/heads/${text}`),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        writeFileSync(head, text);
        const answer = await refs.head().catch((error) => error);
        if (answer instanceof Error) expect(answer).toMatchObject({ code: 'repository_unreadable' });
        else expect([null, oid]).toContain(answer.oid);
      }),
    );
  });
});
