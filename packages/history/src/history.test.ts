import { join } from 'node:path';
import type { SystemGit } from '@grove/testing';
import { describeWithPrograms, temporaryFolder } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { History } from './history.ts';
import { expectedTimes } from './testing/expected-times.ts';
import { type GeneratedCommit, importCommits } from './testing/fast-import.ts';
import { knowledge, newRepository, openCaughtUp } from './testing/opened-history.ts';

function expectGitsTimes(history: History, git: SystemGit): void {
  const expected = expectedTimes(git);
  for (const [path, times] of expected)
    expect(history.times(path), path).toEqual(times === null ? null : { ...times, found: false });
}

const PATHS = [
  'A.md',
  'b/B.md',
  'b/c/[x].md',
  'b/c/Ünï 日本.MD',
  'b.md',
  'img.png',
  '.obsidian/x.md',
  'b/.x/y.md',
];

/** A line of commits that write and delete notes, each time with content that was never there before. */
const lineOfCommits = fc
  .array(
    fc.record({
      ops: fc.array(fc.tuple(fc.nat(PATHS.length - 1), fc.integer({ min: 0, max: 3 })), {
        minLength: 1,
        maxLength: 4,
      }),
      mechanical: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((steps) => {
    const there = new Set<string>();
    return steps.map(({ ops, mechanical }, i): GeneratedCommit => {
      const files: Record<string, string | null> = {};
      for (const [k, op] of ops) {
        const path = PATHS[k]!;
        if (op === 0 && there.delete(path)) files[path] = null;
        else if (op > 0) {
          files[path] = `content ${i} of ${k}\n`;
          there.add(path);
        }
      }
      const message = mechanical === 0 ? 'Own work\n\nGrove-Mechanical: discovery\n' : 'Change\n';
      return { time: 1_600_000_000 + i * 1000, message, files };
    });
  });

/** Branches and merges; author times at random, no deletions. */
const branchedCommits = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
      writes: fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { maxLength: 3 }),
      time: fc.nat(1_000_000),
    }),
    { minLength: 2, maxLength: 20 },
  )
  .map((steps) =>
    steps.map(({ parents, writes, time }, i): GeneratedCommit => {
      const earlier = [...new Set(parents.map((parent) => parent % Math.max(1, i)))];
      return {
        ref: 'refs/heads/main',
        time: 1_600_000_000 + time,
        committed: 1_650_000_000 + i,
        parents: i === 0 ? [] : earlier,
        files: Object.fromEntries(writes.map(([k, content]) => [PATHS[k]!, `${content} of ${k}\n`])),
      };
    }),
  );

describeWithPrograms('times', ['git'], () => {
  it('are those of git log, whatever was written and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(lineOfCommits, async (commits) => {
        const git = newRepository();
        importCommits(git, commits);
        await using history = await openCaughtUp(git.dir);
        expectGitsTimes(history, git);
      }),
      { numRuns: 12 },
    );
  });

  it('are those of git log across branches and merges, packed too', async () => {
    await fc.assert(
      fc.asyncProperty(branchedCommits, async (commits) => {
        const git = newRepository();
        importCommits(git, commits);
        git.run('gc', '-q');
        await using history = await openCaughtUp(git.dir);
        expectGitsTimes(history, git);
      }),
      { numRuns: 12 },
    );
  });

  it('grow by steps to what they are when read at once', async () => {
    await fc.assert(
      fc.asyncProperty(lineOfCommits, fc.nat(), async (commits, cut) => {
        const git = newRepository();
        const first = 1 + (cut % commits.length);
        importCommits(git, commits.slice(0, first));
        await using history = await openCaughtUp(git.dir);
        importCommits(git, commits);
        await history.refresh();
        await using atOnce = await openCaughtUp(git.dir);
        expect(knowledge(history, git)).toEqual(knowledge(atOnce, git));
      }),
      { numRuns: 12 },
    );
  });

  it('forget what a forced push, an amended commit or another branch left behind', async () => {
    await fc.assert(
      fc.asyncProperty(lineOfCommits, lineOfCommits, fc.nat(), async (commits, others, cut) => {
        const git = newRepository();
        importCommits(git, commits);
        await using history = await openCaughtUp(git.dir);
        // Shares the first commits, then goes another way.
        const shared = commits.slice(0, cut % commits.length);
        const rest = others.map((commit) => ({ ...commit, time: commit.time + 500, author: 'Bob' }));
        git.run('update-ref', '-d', 'refs/heads/main');
        importCommits(git, [...shared, ...rest]);
        await history.refresh();
        await using atOnce = await openCaughtUp(git.dir);
        expect(knowledge(history, git)).toEqual(knowledge(atOnce, git));
      }),
      { numRuns: 12 },
    );
  });

  it('go on where the objects of the last look are gone: pruned, or of a repository that was replaced', async () => {
    const git = newRepository();
    const files = { 'A.md': 'first\n', 'b/B.md': 'second\n' };
    importCommits(git, [{ time: 100, files }]);
    const dir = temporaryFolder();
    await (await openCaughtUp(git.dir, dir)).close();
    git.run('update-ref', '-d', 'refs/heads/main');
    importCommits(git, [{ time: 200, files: { 'A.md': 'other\n' } }]);
    git.run('reflog', 'expire', '--expire=now', '--all');
    git.run('gc', '--prune=now', '--quiet');
    await using history = await openCaughtUp(git.dir, dir);
    expect(history.headBlob('b/B.md')).toBeNull();
    expect(history.times('A.md')).toMatchObject({ created: 200_000, modified: 200_000 });
    await using atOnce = await openCaughtUp(git.dir);
    expect(knowledge(history, git)).toEqual(knowledge(atOnce, git));
  });

  it('follow a note that was renamed without a change, also into another folder', async () => {
    const git = newRepository();
    importCommits(git, [
      {
        time: 100,
        files: { 'Old.md': 'text\n', 'Twin.md': 'twin\n', 'a/Same.md': 'twin\n', 'Empty.md': '' },
      },
      { time: 200, files: { 'Old.md': null, 'b/New.md': 'text\n' } },
      {
        time: 300,
        files: { 'Twin.md': null, 'a/Same.md': null, 'b/Same.md': 'twin\n', 'b/Other.md': 'twin\n' },
      },
      { time: 400, files: { 'Empty.md': null, 'Empty too.md': '' } },
      { time: 500, files: { 'b/New.md': 'changed\n' } },
      { time: 600, files: { 'Copy.md': 'changed\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    expect(history.times('b/New.md')).toMatchObject({ created: 100_000, modified: 500_000 });
    expect(history.times('b/Same.md')).toMatchObject({ created: 100_000, modified: 300_000 });
    expect(history.times('b/Other.md')).toMatchObject({ created: 100_000 });
    expect(history.times('Empty too.md')).toMatchObject({ created: 400_000 });
    expect(history.times('Copy.md')).toMatchObject({ created: 600_000 });
    expect(history.times('Old.md')).toBeNull();
    expect(history.renames()).toEqual([
      ['Old.md', 'b/New.md'],
      ['Twin.md', 'b/Other.md'],
      ['a/Same.md', 'b/Same.md'],
    ]);
    const log = history
      .log('b/New.md')
      .entries.map(({ time, changes }) => [time, changes[0]?.kind, changes[0]?.from]);
    expect(log).toEqual([
      [500_000, 'modified', null],
      [200_000, 'renamed', 'Old.md'],
      [100_000, 'added', null],
    ]);
  });

  it('follow a note that Grove moved and mended, and nothing that only looks like it', async () => {
    const git = newRepository();
    const move = 'Move\n\nGrove-Operation: move\n';
    importCommits(git, [
      { time: 100, files: { 'a/Old.md': '[b](../B.md)\n', 'B.md': '[old](a/Old.md)\n', 'C.md': 'c\n' } },
      {
        time: 200,
        message: move,
        files: { 'a/Old.md': null, 'New.md': '[b](B.md)\n', 'B.md': '[old](New.md)\n' },
      },
      { time: 300, files: { 'C.md': null, 'D.md': 'd\n' } },
      { time: 400, message: move, files: { 'D.md': null, 'E.md': 'e\n', 'F.md': 'f\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    expect(history.times('New.md')).toMatchObject({ created: 100_000, modified: 200_000 });
    expect(history.times('E.md')).toMatchObject({ created: 400_000 });
    expect(history.renames()).toEqual([['a/Old.md', 'New.md']]);
    expect(history.log('New.md').entries.map(({ changes }) => changes[0]?.from)).toEqual(['a/Old.md', null]);
    // A rename by any other hand is one only with the same bytes.
    expect(history.log('D.md').entries.map(({ time }) => time)).toEqual([400_000, 300_000]);
  });

  it('go on for a note that comes back as it was, and begin anew for another one of its name', async () => {
    const git = newRepository();
    importCommits(git, [
      { time: 100, files: { 'Back.md': 'text\n', 'Other.md': 'text 2\n' } },
      { time: 200, files: { 'Back.md': null, 'Other.md': null } },
      { time: 300, files: { 'Back.md': 'text\n', 'Other.md': 'different\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    expect(history.times('Back.md')).toMatchObject({ created: 100_000, modified: 300_000 });
    expect(history.times('Other.md')).toMatchObject({ created: 300_000, modified: 300_000 });
  });

  it('do not count mechanical commits for modified', async () => {
    const git = newRepository();
    const mechanical = 'Wire links\n\nGrove-Mechanical: discovery\n';
    importCommits(git, [
      { time: 100, files: { 'A.md': '1\n' } },
      { time: 200, message: mechanical, files: { 'A.md': '2\n', 'B.md': '1\n' } },
      { time: 300, message: mechanical, files: { 'A.md': null, 'Moved.md': '2\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    expect(history.times('Moved.md')).toMatchObject({ created: 100_000, modified: 100_000 });
    // Nobody but Grove touched it: the note itself or its file has to say.
    expect(history.times('B.md')).toBeNull();
    expect(history.headBlob('B.md')).toBe(git.run('rev-parse', 'HEAD:B.md').trim());
  });

  it('count an outside edit for modified, each note from when it was saved', async () => {
    const git = newRepository();
    const message = [
      'Outside edit: 4 notes\n',
      'Grove-Mechanical: outside-edit',
      'Grove-Modified: 1970-01-01T00:04:10Z Older.md',
      'Grove-Modified: 1970-01-01T02:00:00Z Later.md',
      'Grove-Modified: yesterday A.md',
    ].join('\n');
    importCommits(git, [
      { time: 100, files: { 'A.md': '1\n' } },
      {
        time: 300,
        committed: 400,
        message,
        files: { 'A.md': '2\n', 'New.md': '1\n', 'Older.md': '2\n', 'Later.md': '3\n' },
      },
      { time: 500, files: { 'Older.md': null, 'Moved.md': '2\n' } },
      { time: 600, files: { 'New.md': '2\n' } },
    ]);
    await using history = await openCaughtUp(git.dir);
    expect(history.times('A.md')).toMatchObject({ created: 100_000, modified: 300_000, found: false });
    expect(history.times('New.md')).toMatchObject({ created: 300_000, modified: 600_000, found: true });
    expect(history.times('Moved.md')).toMatchObject({ created: 250_000, modified: 500_000, found: true });
    // Nothing is saved after it was committed.
    expect(history.times('Later.md')).toMatchObject({ created: 400_000, modified: 400_000 });
    expect(history.log(null).entries.map(({ mechanical }) => mechanical)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    // Folded anew from its changes, it comes to the same.
    const times = history.times('Moved.md');
    git.run('update-ref', 'refs/heads/main', 'HEAD~1');
    await history.refresh();
    expect(history.times('Moved.md')).toEqual(times);
    expect(history.times('New.md')).toMatchObject({ created: 300_000, modified: 300_000 });
  });

  it('are known of a commit that was just made as if it were taken up', async () => {
    const git = newRepository();
    const before = [
      { time: 100, files: { 'A.md': '1\n', 'Gone.md': '2\n' } },
      { time: 200, files: { 'Gone.md': null } },
    ];
    importCommits(git, before);
    await using history = await openCaughtUp(git.dir);
    const who = { name: 'Ada', email: 'ada@example.org', offset: 60 };
    const blob = (text: string): string => git.feed(text, 'hash-object', '-w', '--stdin').trim();
    const made = (time: number, files: Record<string, string>) => ({
      message: 'Change',
      author: { ...who, time: time * 1000 },
      committer: { ...who, time: time * 1000 },
      notes: Object.entries(files).map(([path, text]) => ({ path, blob: blob(text) })),
    });
    const steps = [
      { time: 300, files: { 'A.md': '2\n', 'New.md': 'n\n' } },
      { time: 400, files: { 'A.md': '3\n', 'Gone.md': '2\n' } },
    ];
    for (const { time, files } of steps) await history.foresee([made(time, files)]);
    const paths = ['A.md', 'New.md', 'Gone.md'];
    const known = () => paths.map((path) => [history.times(path), history.headBlob(path)]);
    const foreseen = known();
    expect(history.times('A.md')).toMatchObject({ created: 100_000, modified: 400_000 });
    expect(history.times('Gone.md')).toMatchObject({ created: 100_000, modified: 400_000 });
    importCommits(git, [...before, ...steps]);
    await history.refresh();
    expect(known()).toEqual(foreseen);
  });

  it('are those below the folder when the vault is a part of the repository', async () => {
    const git = newRepository();
    importCommits(git, [
      { time: 100, files: { 'code.md': '1\n', 'docs/notes/A.md': '1\n', 'docs/B.md': '1\n' } },
      { time: 200, files: { 'docs/notes/A.md': '2\n' } },
      { time: 300, files: { 'code.md': '2\n' } },
    ]);
    git.run('reset', '-q', '--hard');
    await using history = await openCaughtUp(join(git.dir, 'docs/notes'));
    expect(history.times('A.md')).toMatchObject({ created: 100_000, modified: 200_000 });
    expect(history.times('docs/notes/A.md')).toBeNull();
    expect(history.log(null).entries.map(({ time, changed }) => [time, changed])).toEqual([
      [300_000, 0],
      [200_000, 1],
      [100_000, 1],
    ]);
  });

  it('are found under either Unicode form of a name', async () => {
    const git = newRepository();
    const [nfc, nfd] = ['Café.md'.normalize('NFC'), 'Cafe\u0301 2.md'];
    importCommits(git, [{ time: 100, files: { [nfc]: '1\n', [nfd]: '2\n' } }]);
    await using history = await openCaughtUp(git.dir);
    for (const path of [nfc, nfd]) {
      for (const form of ['NFC', 'NFD']) expect(history.times(path.normalize(form)), path).not.toBeNull();
    }
    importCommits(git, [{ time: 100, files: { [nfc]: '1\n' } }]);
    await history.refresh();
    expect(history.times(nfd.normalize('NFC'))).toBeNull();
  });

  it('ignore a change of the file mode, links and submodules', async () => {
    const git = newRepository();
    git.write('A.md', 'a\n');
    const first = git.commit('First');
    git.run('update-index', '--chmod=+x', 'A.md');
    git.run(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${git.run('rev-parse', 'HEAD:A.md').trim()},Link.md`,
    );
    git.run('update-index', '--add', '--cacheinfo', `160000,${first},Sub.md`);
    git.time += 1000;
    git.run('commit', '-q', '-m', 'Modes');
    await using history = await openCaughtUp(git.dir);
    expect(history.times('A.md')?.modified).toBe(history.times('A.md')?.created);
    expect(history.headBlob('Link.md')).toBeNull();
    expect(history.headBlob('Sub.md')).toBeNull();
  });
});
