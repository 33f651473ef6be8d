import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { collect, describeWithPrograms, end, spawnScript, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { type GeneratedCommit, importCommits } from './testing/fast-import.ts';
import { knowledge, newRepository, openCaughtUp } from './testing/opened-history.ts';

const script = fileURLToPath(new URL('./testing/index-until-killed.ts', import.meta.url));

/** Runs the index in a process of its own, killed this long after it opened. True when it was done by then. */
async function indexFor(ms: number, root: string, dir: string): Promise<boolean> {
  const child = spawnScript(script, [root, dir]);
  const output = collect(child.stdout);
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await Promise.race([setTimeout(ms), ended]);
  await end(child, 'SIGKILL');
  expect(output()).toContain('opened');
  return output().includes('done');
}

describeWithPrograms('the index of a history', ['git'], () => {
  it('goes on where kill -9 stopped it, and ends with what it would have known without', async () => {
    const git = newRepository();
    const folder = (i: number) => `Folder ${i % 40}`;
    const all = Object.fromEntries(
      Array.from({ length: 1500 }, (_, i) => [`${folder(i)}/${i}.md`, `${i}\n`]),
    );
    const commits: GeneratedCommit[] = [{ time: 1, files: all }];
    for (let i = 0; i < 200; i++) {
      const moved = { [`${folder(i)}/${i}.md`]: null, [`Moved/${i}.md`]: `${i}\n` };
      commits.push({ time: 2 + i, files: { ...moved, [`${folder(i)}/${i + 1000}.md`]: `changed ${i}\n` } });
    }
    // Another line that leaves the first one after a while: what was taken up has to go again.
    const other: GeneratedCommit[] = [
      ...commits.slice(0, 100),
      { time: 5000, files: Object.fromEntries(Object.keys(all).map((path) => [path, `other ${path}\n`])) },
    ];
    importCommits(git, commits, { loose: false });
    const dir = join(temporaryFolder(), 'index');
    let kills = 0;
    for (const line of [commits, other, commits]) {
      git.run('update-ref', '-d', 'refs/heads/main');
      importCommits(git, line, { loose: false });
      // Each try gets a little longer, so that it ends on a slow machine too.
      for (let ms = 5; ms < 200 && !(await indexFor(ms, git.dir, dir)); ms = ms * 2 + 11) kills++;
    }
    expect(kills).toBeGreaterThan(3);
    await using resumed = await openCaughtUp(git.dir, dir);
    await using atOnce = await openCaughtUp(git.dir);
    expect(knowledge(resumed, git)).toEqual(knowledge(atOnce, git));
  });
});
