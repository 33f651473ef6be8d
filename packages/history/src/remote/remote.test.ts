import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, protectBranches, type SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { openGitStore } from '../git-store.ts';
import { fetchRemote, pushRemote } from './remote.ts';
import { type TwoSides, twoSides } from './testing/two-sides.ts';

const options = ({ location, url }: TwoSides) => ({
  location,
  url,
  name: 'origin',
  branch: 'main',
  token: null,
});

/** Nothing is damaged or missing, and nothing is left of what was on its way. */
function expectSound(git: SystemGit): void {
  expect(git.run('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  const objects = join(git.dir, '.git', 'objects');
  expect(readdirSync(objects).filter((name) => name.startsWith('tmp_'))).toEqual([]);
  expect(readdirSync(join(objects, 'pack')).filter((name) => /^tmp_|received/.test(name))).toEqual([]);
}

describeWithPrograms('a fetch', ['git'], () => {
  it('brings what is new as one pack, which the open store sees, and moves the tracking ref', async () => {
    const sides = await twoSides();
    const { other, vault, location } = sides;
    await using store = await openGitStore(location);
    await store.readCommit((await store.resolveHead()).oid!);
    other.write('Plan.md', '# Plan\n\nWater the beds.\n');
    const tip = other.commit('Water');
    other.run('push', '-q');
    expect(await fetchRemote(options(sides))).toEqual({ tip });
    expect(await store.resolveRef('refs/remotes/origin/main')).toBe(tip);
    expect((await store.blobAt(tip, 'Plan.md'))?.bytes.toString()).toContain('Water');
    expect(vault.run('status', '--porcelain')).toBe('');
    expect(vault.run('log', '--oneline', 'HEAD..origin/main').trim().split('\n')).toHaveLength(1);
    expectSound(vault);
    expect(await fetchRemote(options(sides))).toEqual({ tip });
  });

  it('tells of a branch that is not there', async () => {
    const sides = await twoSides();
    expect(await fetchRemote({ ...options(sides), branch: 'none' })).toEqual({ tip: null });
  });
});

describeWithPrograms('a push', ['git'], () => {
  it('sends what the remote lacks, and tells of commits that are not here', async () => {
    const sides = await twoSides();
    const { other, vault, bare } = sides;
    vault.write('Garden/Beds.md', '# Beds\n\n- peas\n- beans\n');
    const commit = vault.commit('Beans');
    expect(await pushRemote({ ...options(sides), commit })).toEqual({ outcome: 'pushed' });
    expect(bare.run('rev-parse', 'main').trim()).toBe(commit);
    expect(vault.run('rev-parse', 'origin/main').trim()).toBe(commit);
    expectSound(vault);
    bare.run('fsck', '--full', '--strict');
    expect(await pushRemote({ ...options(sides), commit })).toEqual({ outcome: 'pushed' });
    other.run('pull', '-q');
    other.write('Plan.md', '# Another plan\n');
    other.commit('Plan anew');
    other.run('push', '-q');
    const later = vault.commit('Later');
    expect(await pushRemote({ ...options(sides), commit: later })).toEqual({ outcome: 'behind' });
    expectSound(vault);
  });

  it('tells what the server says when it refuses', async () => {
    const sides = await twoSides();
    const { vault, bare } = sides;
    protectBranches(bare.dir, 'The branch \\033[31mmain\\033[0m is protected.');
    const commit = vault.commit('More');
    await expect(pushRemote({ ...options(sides), commit })).rejects.toMatchObject({
      code: 'remote_protected',
      data: { reason: 'pre-receive hook declined ("The branch main is protected")' },
    });
    expectSound(vault);
  });
});
