import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import type { History } from '../history.ts';
import { importCommits } from '../testing/fast-import.ts';
import { newRepository, openCaughtUp } from '../testing/opened-history.ts';
import type { WalkEntry, WalkOptions } from './walk.ts';

async function entries(history: History, options: WalkOptions): Promise<WalkEntry[]> {
  const found: WalkEntry[] = [];
  for await (const entry of history.walk(options)) found.push(entry);
  return found;
}

describeWithPrograms('a walk through the log', ['git'], () => {
  it('goes on behind each entry, in the order of git log', async () => {
    const git = newRepository();
    importCommits(git, [
      { time: 100, parents: [], files: { 'A.md': '1\n' } },
      { time: 300, parents: [0], files: { 'A.md': '2\n' } },
      { time: 200, parents: [0], files: { 'B.md': '1\n' } },
      { time: 150, parents: [1, 2], files: { 'A.md': '3\n', 'B.md': '2\n' } },
      { time: 500, parents: [3], files: { 'C.md': '1\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    const all = await entries(history, { path: null });
    const expected = git.run('log', '--date-order', '--format=%H').trim().split('\n');
    expect(all.map(({ commit }) => commit)).toEqual(expected);
    for (const [at, { position }] of all.entries())
      expect(await entries(history, { path: null, after: position })).toEqual(all.slice(at + 1));
    expect(await entries(history, { path: null, since: 250_000 })).toHaveLength(2);
    const named = history.commitsNamed(all[0]!.commit.slice(0, 7), 5);
    expect(named).toMatchObject([{ commit: all[0]!.commit, time: 500_000 }]);
    expect(history.commitsNamed('xyz', 5)).toEqual([]);
    const after = { commit: 'f'.repeat(40), path: null };
    await expect(entries(history, { path: null, after })).rejects.toMatchObject({ code: 'bad_cursor' });
  });

  it('follows a note through its renames, as far as its paths are shown', async () => {
    const git = newRepository();
    const text = 'a text that is long enough for git to find it again\n';
    importCommits(git, [
      { time: 100, files: { 'Secret/Old.md': text, 'Other.md': 'x\n' } },
      { time: 200, files: { 'Other.md': 'y\n' } },
      { time: 300, files: { 'Secret/Old.md': null, 'New.md': text } },
      { time: 400, files: { 'New.md': `${text}more\n` } },
    ]);
    await using history = await openCaughtUp(git.dir);
    const whole = await entries(history, { path: 'New.md' });
    expect(whole.map(({ changes }) => changes[0]?.kind)).toEqual(['modified', 'renamed', 'added']);
    expect(whole[1]?.changes[0]?.from).toBe('Secret/Old.md');
    const after = whole[1]!.position;
    expect(await entries(history, { path: 'New.md', after })).toEqual([]);
    const isShown = (path: string): boolean => !path.startsWith('Secret/');
    const shown = await entries(history, { path: 'New.md', isShown });
    expect(shown.map(({ changes }) => changes)).toMatchObject([
      [{ kind: 'modified' }],
      [{ kind: 'added', from: null }],
    ]);
    expect(JSON.stringify(await entries(history, { path: null, isShown }))).not.toContain('Secret');
  });

  it('passes over commits of what is not shown, and counts only what is', async () => {
    const git = newRepository();
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`${i % 2 === 0 ? 'Open' : 'Shut'}/${i}.md`, `${i}\n`]),
    );
    importCommits(git, [
      { time: 100, files },
      { time: 200, files: { 'Shut/1.md': 'changed\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    const isShown = (path: string): boolean => path.startsWith('Open/');
    const [only, ...others] = await entries(history, { path: null, isShown, mostChanges: 3 });
    expect(others).toEqual([]);
    expect(only).toMatchObject({ changed: 300, time: 100_000 });
    expect(only?.changes).toHaveLength(3);
  });
});
