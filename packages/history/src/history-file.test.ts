import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { openHistory } from './history.ts';
import { locateGitDir } from './repository/locate.ts';
import { type GeneratedCommit, importCommits } from './testing/fast-import.ts';
import { newRepository, openCaughtUp } from './testing/opened-history.ts';

describeWithPrograms('a shallow clone', ['git'], () => {
  it('begins at its border, and learns the rest when that is fetched', async () => {
    const origin = newRepository();
    const files = (i: number) => ({ 'A.md': `${i}\n`, [`${i}.md`]: 'x\n' });
    importCommits(
      origin,
      [1, 2, 3, 4, 5].map((i) => ({ time: i * 100, files: files(i) })),
    );
    const parent = new SystemGit(temporaryFolder());
    parent.run('clone', '-q', '--depth=2', `file://${origin.dir}`, 'vault');
    const clone = new SystemGit(join(parent.dir, 'vault'));
    await using history = await openCaughtUp(clone.dir);
    expect(history.times('A.md')).toMatchObject({ created: 400_000, modified: 500_000 });
    expect(history.times('1.md')).toMatchObject({ created: 400_000 });
    clone.run('fetch', '-q', '--unshallow');
    await history.refresh();
    expect(history.times('A.md')).toMatchObject({ created: 100_000, modified: 500_000 });
    expect(history.times('1.md')).toMatchObject({ created: 100_000 });
  });
});

describeWithPrograms('refresh', ['git'], () => {
  it('sees the first commit, a detached HEAD and a branch without commits', async () => {
    const git = newRepository();
    await using history = await openCaughtUp(git.dir);
    expect(history).toMatchObject({ ready: true });
    expect(history.times('A.md')).toBeNull();
    let changes = 0;
    const end = history.onChange(() => changes++);
    importCommits(git, [
      { time: 100, files: { 'A.md': '1\n' } },
      { time: 200, files: { 'A.md': '2\n' } },
    ]);
    await history.refresh();
    expect(history.times('A.md')).toMatchObject({ modified: 200_000 });
    git.run('checkout', '-q', '--detach', 'HEAD~1');
    await history.refresh();
    expect(history.times('A.md')).toMatchObject({ modified: 100_000 });
    git.run('checkout', '-q', '--orphan', 'empty');
    await history.refresh();
    expect(history.times('A.md')).toBeNull();
    expect(history.log(null).entries).toEqual([]);
    expect(changes).toBe(3);
    await history.refresh();
    expect(changes).toBe(3);
    end();
    git.run('checkout', '-q', '-f', 'main');
    await history.refresh();
    expect(changes).toBe(3);
    expect(history.times('A.md')).toMatchObject({ modified: 200_000 });
  });

  it('reads no object when nothing moved, also after it was opened again', async () => {
    const git = newRepository();
    importCommits(git, [{ time: 100, files: { 'A.md': '1\n' } }]);
    const dir = temporaryFolder();
    const history = await openCaughtUp(git.dir, dir);
    const reads = history.store.reads;
    await history.refresh();
    expect(history.store.reads).toBe(reads);
    await history.close();
    await using again = await openCaughtUp(git.dir, dir);
    expect(again.times('A.md')).toMatchObject({ created: 100_000 });
    expect(again.store.reads).toBeLessThanOrEqual(1);
  });

  it('says why when the repository is damaged, keeps what it knew, and goes on once it is mended', async () => {
    const git = newRepository();
    importCommits(git, [{ time: 100, files: { 'A.md': '1\n' } }]);
    await using history = await openCaughtUp(git.dir);
    const [before, missing] = [git.run('rev-parse', 'HEAD').trim(), '1'.repeat(40)];
    writeFileSync(join(git.dir, '.git/refs/heads/main'), `${missing}\n`);
    await history.refresh();
    expect(history.status().problem).toContain(`the commit ${missing} is missing`);
    expect(history.times('A.md')).toMatchObject({ created: 100_000 });
    writeFileSync(join(git.dir, '.git/refs/heads/main'), `${before}\n`);
    await history.refresh();
    expect(history.status()).toMatchObject({ problem: null, tip: before });
  });

  it('does not hold its caller up while the history is long, and says when it is done', async () => {
    const git = newRepository();
    const commits = (count: number): GeneratedCommit[] =>
      Array.from({ length: count }, (_, i) => ({ time: 1 + i, files: { 'A.md': `${i}\n` } }));
    importCommits(git, commits(30), { loose: false });
    await using history = await openHistory({
      location: (await locateGitDir(git.dir))!,
      dir: temporaryFolder(),
    });
    await history.refresh();
    expect(history.ready).toBe(false);
    await history.caughtUp();
    expect(history.ready).toBe(true);
    importCommits(git, commits(1000), { loose: false });
    await history.refresh();
    expect(history.times('A.md')).toMatchObject({ modified: 30_000 });
    await history.caughtUp();
    expect(history.times('A.md')).toMatchObject({ modified: 1_000_000 });
    importCommits(git, commits(1050), { loose: false });
    await history.refresh();
    expect(history.times('A.md')).toMatchObject({ modified: 1_050_000 });
  });

  it('costs as many object reads as trees changed: a thousand folders are not walked per commit', async () => {
    const git = newRepository();
    const all = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`Folder ${i}/Note.md`, `${i}\n`]));
    const commits: GeneratedCommit[] = [{ time: 1, files: all }];
    for (let i = 0; i < 500; i++) {
      commits.push({ time: 2 + i, files: { [`Folder ${i % 250}/Note.md`]: `changed ${i}\n` } });
    }
    importCommits(git, commits, { loose: false });
    await using history = await openCaughtUp(git.dir);
    expect(history.status()).toMatchObject({ done: 501, total: 501 });
    // Twice each commit, both sides of the root and of one folder; the first commit's thousand folders; HEAD's.
    expect(history.store.reads).toBeLessThan(501 * 2 + 500 * 4 + 2 * 1000 + 100);
    expect(history.times('Folder 7/Note.md')).toMatchObject({ created: 1000, modified: 259_000 });
  });
});

describeWithPrograms('the derived file', ['git'], () => {
  async function filled(): Promise<{ git: SystemGit; dir: string; file: string }> {
    const git = newRepository();
    importCommits(git, [
      { time: 100, files: { 'A.md': '1\n', 'Gone.md': '1\n' } },
      { time: 200, files: { 'A.md': '2\n', 'Gone.md': null } },
    ]);
    const dir = join(temporaryFolder(), 'index');
    await (await openCaughtUp(git.dir, dir)).close();
    return { git, dir, file: join(dir, 'history.db') };
  }

  it.each([
    [
      'other bytes',
      (file: string) => writeFileSync(file, 'not a database, but long enough to be looked at'.repeat(50)),
    ],
    ['half of it', (file: string) => truncateSync(file, 9000)],
    ['nothing', (file: string) => truncateSync(file, 0)],
  ])('is made anew when it holds %s', async (_, damage) => {
    const { git, dir, file } = await filled();
    damage(file);
    await using history = await openCaughtUp(git.dir, dir);
    expect(history.times('A.md')).toMatchObject({ created: 100_000, modified: 200_000 });
    expect(history.times('Gone.md')).toBeNull();
  });

  it('is made anew when the folder is removed while it is open', async () => {
    const { git, dir, file } = await filled();
    await using history = await openCaughtUp(git.dir, dir);
    rmSync(dir, { recursive: true });
    await history.refresh();
    expect(history.times('A.md')).toMatchObject({ created: 100_000 });
    expect(history.status().rebuilt).toBe('it was removed while running');
    expect(existsSync(file)).toBe(true);
    importCommits(git, [{ time: 300, files: { 'B.md': '1\n' } }]);
    await history.refresh();
    expect(history.times('A.md')).toBeNull();
    expect(history.times('B.md')).toMatchObject({ created: 300_000 });
  });

  it('is made anew when the vault is another folder of the repository', async () => {
    const git = newRepository();
    importCommits(git, [{ time: 100, files: { 'a/A.md': '1\n', 'b/B.md': '1\n' } }]);
    git.run('reset', '-q', '--hard');
    const dir = temporaryFolder();
    await (await openCaughtUp(join(git.dir, 'a'), dir)).close();
    await using history = await openCaughtUp(join(git.dir, 'b'), dir);
    expect(history.times('A.md')).toBeNull();
    expect(history.times('B.md')).toMatchObject({ created: 100_000 });
    expect(history.status().rebuilt).toContain('another folder');
  });

  it('leaves nothing beside it when closed, and can be closed in the middle of work', async () => {
    const git = newRepository();
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${i}.md`, `${i}\n`]));
    importCommits(git, [
      { time: 100, files },
      { time: 200, files: { '7.md': 'changed\n' } },
    ]);
    const dir = temporaryFolder();
    for (let i = 0; i < 3; i++) {
      const history = await openHistory({ location: (await locateGitDir(git.dir))!, dir });
      for (let turn = 0; turn < i; turn++) await new Promise((resolve) => setImmediate(resolve));
      await history.close();
    }
    await using history = await openCaughtUp(git.dir, dir);
    expect(history.times('7.md')).toMatchObject({ created: 100_000, modified: 200_000 });
    await history.close();
    expect(readdirSync(dir)).toEqual(['history.db']);
  });
});
