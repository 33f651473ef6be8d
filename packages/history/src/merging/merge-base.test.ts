import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openGitStore } from '../git-store.ts';
import { locateGitDir } from '../repository/locate.ts';
import { importCommits } from '../testing/fast-import.ts';
import { mergeBases } from './merge-base.ts';

const COMMITS = 9;

/** Each commit's parents among those before it, and its time: clocks go wrong. */
const history = fc.array(
  fc.record({
    parents: fc.uniqueArray(fc.nat(), { minLength: 0, maxLength: 2 }),
    late: fc.integer({ min: -3, max: 3 }),
  }),
  { minLength: COMMITS, maxLength: COMMITS },
);

describeWithPrograms('the common commits of two', ['git'], () => {
  it('are those that git finds', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (commits) => {
        const git = SystemGit.init();
        importCommits(
          git,
          commits.map(({ parents, late }, at) => ({
            ref: `refs/heads/c${at}`,
            time: 1_700_000_000 + (at + late * 2) * 60,
            parents: at === 0 ? [] : [...new Set(parents.map((parent) => parent % at))],
            files: { [`${at}.md`]: `${at}\n` },
          })),
        );
        await using store = await openGitStore((await locateGitDir(git.dir))!);
        const tips = git.run('for-each-ref', '--format=%(objectname)', 'refs/heads').trim().split('\n');
        for (const [ours, theirs] of [
          [tips.at(-1)!, tips.at(-2)!],
          [tips.at(-3)!, tips.at(-1)!],
          [tips[0]!, tips.at(-1)!],
        ] as const) {
          const found = await mergeBases(store, ours, theirs);
          expect([...found].sort()).toEqual(allByGit(git, ours, theirs).sort());
        }
      }),
      { numRuns: 40 },
    );
  });

  it('end at the border of a shallow clone', async () => {
    const origin = SystemGit.init();
    origin.write('a.md', 'a\n');
    const base = origin.commit();
    origin.write('a.md', 'b\n');
    origin.commit();
    const clone = new SystemGit(SystemGit.init().dir);
    clone.run('fetch', '-q', '--depth=1', `file://${origin.dir}`, 'main');
    clone.run('reset', '-q', '--hard', 'FETCH_HEAD');
    await using store = await openGitStore((await locateGitDir(clone.dir))!);
    const head = clone.run('rev-parse', 'HEAD').trim();
    const other = clone.run('commit-tree', '-m', 'Other', `${head}^{tree}`).trim();
    expect(await mergeBases(store, head, other)).toEqual([]);
    expect(await mergeBases(store, head, head)).toEqual([head]);
    expect(base).not.toBe(head);
  });
});

function allByGit(git: SystemGit, ours: string, theirs: string): string[] {
  try {
    return git.run('merge-base', '--all', ours, theirs).trim().split('\n').filter(Boolean);
  } catch {
    // It ends with 1 where there is none.
    return [];
  }
}
