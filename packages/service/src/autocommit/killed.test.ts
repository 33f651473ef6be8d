import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { collect, describeWithPrograms, end, SystemGit, spawnScript } from '@grove/testing';
import { expect, it, onTestFinished } from 'vitest';
import { makeVaultFolder } from '../testing/vault-folder.ts';

const script = fileURLToPath(new URL('../testing/autocommit-until-killed.ts', import.meta.url));

describeWithPrograms('autocommit', ['git'], () => {
  it('goes on where kill -9 stopped it: every note is committed once, and git finds nothing wrong', async () => {
    const files = Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`${i % 9}/${i}.md`, `${i}\n`]));
    const folder = await makeVaultFolder(files);
    onTestFinished(() => folder.remove());
    const git = new SystemGit(join(folder.dataDir, 'vaults', 'garden', 'git'));
    const runFor = async (ms: number): Promise<boolean> => {
      const child = spawnScript(script, [folder.root, folder.dataDir]);
      const output = collect(child.stdout);
      const ended = once(child, 'close');
      await Promise.race([once(child.stdout, 'data'), ended]);
      await Promise.race([setTimeout(ms), ended]);
      await end(child, 'SIGKILL');
      expect(output()).toContain('opened');
      return output().includes('done');
    };
    let kills = 0;
    for (let ms = 40; !(await runFor(ms)); ms = ms * 2 + 60) {
      kills += 1;
      expect(git.run('fsck')).not.toContain('missing');
    }
    expect(kills).toBeGreaterThan(0);
    const committed = git.run('log', '--format=', '--name-only').split('\n').filter(Boolean);
    expect(committed.toSorted()).toEqual(Object.keys(files).toSorted());
    expect(git.run('status', '--porcelain')).toBe('');
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });
});
