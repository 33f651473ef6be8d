import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { importCommits } from '../testing/fast-import.ts';
import { newRepository, openCaughtUp } from '../testing/opened-history.ts';

describeWithPrograms('log', ['git'], () => {
  it('lists commits in the order of git log, page by page', async () => {
    const git = newRepository();
    importCommits(git, [
      { time: 100, parents: [], files: { 'A.md': '1\n' } },
      { time: 300, parents: [0], files: { 'A.md': '2\n' } },
      { time: 200, parents: [0], files: { 'B.md': '1\n' }, author: 'Bob' },
      // A clock that ran backwards, and a merge that changes what both sides had.
      { time: 150, parents: [1, 2], files: { 'A.md': '3\n', 'B.md': '2\n' } },
      { time: 500, parents: [3], files: { 'C.md': '1\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    const commits: string[] = [];
    let cursor: string | null = null;
    do {
      const page = history.log(null, { limit: 2, cursor });
      expect(page.entries.length).toBeGreaterThan(0);
      commits.push(...page.entries.map(({ commit }) => commit));
      cursor = page.next;
    } while (cursor !== null);
    expect(commits).toEqual(git.run('log', '--date-order', '--format=%H').trim().split('\n'));
  });

  it('lists the commits of one note as git log does, through a rename, page by page', async () => {
    const git = newRepository();
    const text = 'a text that is long enough for git to find it again\n';
    importCommits(git, [
      { time: 100, files: { 'Old.md': 'first\n', 'Other.md': 'x\n' } },
      { time: 200, files: { 'Old.md': text } },
      { time: 300, files: { 'Other.md': 'y\n' } },
      { time: 400, files: { 'Old.md': null, 'New.md': text } },
      // The former name is another note from here on.
      { time: 500, files: { 'Old.md': 'another note\n' } },
      { time: 600, files: { 'New.md': `${text}more\n` } },
    ]);
    await using history = await openCaughtUp(git.dir);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = history.log('New.md', { limit: 1, cursor });
      seen.push(...page.entries.map(({ commit }) => commit));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen).toEqual(git.run('log', '--follow', '--format=%H', '--', 'New.md').trim().split('\n'));
    expect(history.log('New.md', { since: 400_000 }).entries).toHaveLength(2);
    expect(history.log(null, { since: 450_000 }).entries.map(({ time }) => time)).toEqual([600_000, 500_000]);
    expect(history.log('Nothing.md')).toEqual({ entries: [], next: null });
  });

  it('names at most a hundred notes of one commit, and their number', async () => {
    const git = newRepository();
    const files = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`${i}.md`, `${i}\n`]));
    importCommits(git, [{ time: 100, files, author: 'Ada' }]);
    await using history = await openCaughtUp(git.dir);
    const [entry] = history.log(null).entries;
    expect(entry).toMatchObject({ changed: 130, author: 'Ada', email: 'ada@example.org', mechanical: false });
    expect(entry?.changes).toHaveLength(100);
  });

  it.each(['', 'x', '1', '1.2.3', '../..', '1.zzzzzzzzzzzzzz', '\0'])(
    'refuses %j as a cursor',
    async (cursor) => {
      const git = newRepository();
      await using history = await openCaughtUp(git.dir);
      expect(() => history.log(null, { cursor })).toThrowError(
        expect.objectContaining({ code: 'bad_cursor' }),
      );
      expect(() => history.log('A.md', { cursor })).toThrowError(
        expect.objectContaining({ code: 'bad_cursor' }),
      );
    },
  );
});
