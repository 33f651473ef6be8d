import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { cloneRemote } from './clone-remote.ts';
import { fetchRemote } from './remote.ts';
import { type TwoSides, twoSides } from './testing/two-sides.ts';

const options = ({ location, url }: TwoSides) =>
  ({ location, url, name: 'origin', branch: 'main', token: null }) as const;

/** Both sides with three commits, of which the server then keeps the newest one alone, with one on top. */
async function cutServer(change: (other: SystemGit) => void): Promise<TwoSides & { tip: string }> {
  const sides = await twoSides();
  const { other, vault, bare } = sides;
  for (const text of ['two', 'three']) {
    other.write('Plan.md', `# Plan ${text}\n`);
    other.commit(text);
  }
  other.run('push', '-q');
  await fetchRemote(options(sides));
  vault.run('merge', '-q', '--ff-only', 'origin/main');
  change(other);
  other.run('push', '-q');
  const mirror = new SystemGit(join(temporaryFolder('mirror'), 'mirror'));
  new SystemGit(join(mirror.dir, '..')).run('clone', '-q', '--depth=1', `file://${bare.dir}`, 'mirror');
  mirror.write('New.md', '# New\n');
  const tip = mirror.commit('New');
  rmSync(bare.dir, { recursive: true });
  mirror.run('clone', '-q', '--bare', `file://${mirror.dir}`, bare.dir);
  expect(existsSync(join(bare.dir, 'shallow'))).toBe(true);
  return { ...sides, tip };
}

describeWithPrograms('a server with the end of a history alone', ['git'], () => {
  it('cuts off nothing that is here, and is cloned as it is', async () => {
    const sides = await cutServer(() => {});
    const { vault, tip, url } = sides;
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
    expect(existsSync(join(vault.dir, '.git', 'shallow'))).toBe(false);
    expect(vault.run('rev-list', '--count', 'origin/main').trim()).toBe('4');
    expect(vault.run('fsck', '--full', '--strict')).toBe('');
    const clone = new SystemGit(join(temporaryFolder('clone'), 'vault'));
    await cloneRemote({ url, dir: clone.dir, token: null });
    expect(clone.run('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(clone.run('fsck', '--full', '--strict')).toBe('');
  });

  it('whose oldest commit continues what is here is refused', async () => {
    const sides = await cutServer((other) => {
      other.run('checkout', '-q', '-b', 'side', 'HEAD~2');
      other.write('Side.md', '# Side\n');
      other.commit('Side');
      other.run('checkout', '-q', 'main');
      other.run('merge', '-q', '-m', 'Merge', 'side');
    });
    const { vault } = sides;
    const before = vault.run('rev-parse', 'origin/main');
    await expect(fetchRemote(options(sides))).rejects.toMatchObject({ code: 'remote_history_unusable' });
    expect(existsSync(join(vault.dir, '.git', 'shallow'))).toBe(false);
    expect(vault.run('rev-parse', 'origin/main')).toBe(before);
    expect(vault.run('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });
});
