import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGroveError } from '@grove/core';
import { describeWithPrograms, end, SystemGit } from '@grove/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ADA, expectSound, openWriter } from '../testing/git-twin.ts';
import { indexChanges } from '../testing/index-changes.ts';
import type { GitWriter } from './git-writer.ts';

const SHELL = `
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
  echo "$i" > Shell.md
  until git add Shell.md && git commit -q -m "shell $i" -- Shell.md; do sleep 0.01; done
done`;

/** One write by Grove, tried again as long as git is busy or was first. */
async function save(writer: GitWriter, git: SystemGit, path: string, text: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      await using lock = await writer.lockIndex();
      const { ref, oid: from } = await writer.head([path]);
      writeFileSync(join(git.dir, path), text);
      const changes = [{ path, bytes: Buffer.from(text) }];
      const built = await writer.buildCommit({
        parent: from,
        changes,
        author: ADA,
        committer: ADA,
        message: text,
      });
      await writer.writeObjects(built);
      if ((await writer.moveRef({ ref, from, to: built.oid, reflog: text, who: ADA })) === 'lost') continue;
      await lock.commit(indexChanges(git.dir, built));
      await writer.syncObjects([built]);
      await writer.syncRef(ref);
      await writer.syncIndex();
      return;
    } catch (error) {
      if (!isGroveError(error, 'git_busy')) throw error;
    }
  }
  throw new Error(`${path} was never written`);
}

describeWithPrograms('Grove and a shell that commits in a loop', ['git'], () => {
  it('lose none of their commits', async () => {
    const git = SystemGit.init();
    git.write('Shell.md', '0\n');
    for (let i = 0; i < 20; i++) git.write(`Notes/${i}.md`, 'old\n');
    git.commit();
    for (const [key, value] of [
      ['user.name', 'Shell'],
      ['user.email', 'shell@example.org'],
      ['gc.auto', '20'],
      ['gc.autoDetach', 'false'],
    ]) {
      git.run('config', key!, value!);
    }
    const env = {
      PATH: process.env.PATH,
      HOME: git.dir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const shell = spawn('sh', ['-c', SHELL], { cwd: git.dir, stdio: 'ignore', env });
    onTestFinished(() => end(shell, 'SIGKILL'));
    const ended = once(shell, 'close');
    await using writer = await openWriter(git.dir);
    for (let i = 0; i < 20; i++) await save(writer, git, `Notes/${i}.md`, `grove ${i}`);
    expect(await ended).toEqual([0, null]);
    const subjects = git.run('log', '--format=%s').split('\n').filter(Boolean);
    const expected = [
      'Change',
      ...Array.from({ length: 12 }, (_, i) => `shell ${i + 1}`),
      ...Array.from({ length: 20 }, (_, i) => `grove ${i}`),
    ];
    expect(subjects.toSorted()).toEqual(expected.toSorted());
    // One path each: no commit took back what another had written.
    const touched = git.run('log', '--format=', '--name-only', 'HEAD~32..HEAD').split('\n').filter(Boolean);
    expect(touched.length).toBe(32);
    expectSound(git);
  });
});
