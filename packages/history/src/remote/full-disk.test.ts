import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, SystemGit, temporaryFolder } from '@grove/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { locateGitDir } from '../repository/locate.ts';
import { cloneRemote } from './clone-remote.ts';
import { fetchRemote, pushRemote } from './remote.ts';
import { twoSides } from './testing/two-sides.ts';

function mount(...args: string[]): boolean {
  return process.platform === 'linux' && spawnSync('mount', args).status === 0;
}

const canMount = (() => {
  const folder = makeFolder('mount');
  const done = mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path);
  if (done) spawnSync('umount', [folder.path]);
  folder.remove();
  return done;
})();

/** A folder on a disk of two megabytes. */
function smallDisk(): string {
  const path = join(temporaryFolder('small disk'), 'disk');
  mkdirSync(path);
  mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path);
  onTestFinished(() => void spawnSync('umount', ['-l', path]));
  return path;
}

describe.skipIf(!canMount)('a disk that is full (needs the right to mount)', () => {
  it('leaves nothing of a fetch or a clone, and the next one works when there is room', async () => {
    const sides = await twoSides();
    const disk = smallDisk();
    const vault = new SystemGit(join(disk, 'vault'));
    const options = { url: sides.url, token: null };
    await cloneRemote({ ...options, dir: vault.dir });
    const location = (await locateGitDir(vault.dir))!;
    const remote = { ...options, location, name: 'origin', branch: 'main' };
    sides.other.write('Film.bin', randomBytes(3_000_000));
    const tip = sides.other.commit('Film');
    sides.other.run('push', '-q');
    await expect(fetchRemote(remote)).rejects.toMatchObject({ code: 'repository_full' });
    expect(vault.run('fsck', '--full', '--strict')).toBe('');
    expect(readdirSync(join(location.commonDir, 'objects')).filter((name) => /tmp/.test(name))).toEqual([]);
    const dir = join(disk, 'clone');
    await expect(cloneRemote({ ...options, dir })).rejects.toMatchObject({ code: 'repository_full' });
    expect(readdirSync(disk)).toEqual(['vault']);
    mount('-o', 'remount,size=20m', disk);
    expect(await fetchRemote(remote)).toEqual({ tip, isEmpty: false });
    vault.run('merge', '-q', '--ff-only', 'origin/main');
    expect(vault.run('fsck', '--full', '--strict')).toBe('');
    vault.write('Another.bin', randomBytes(6_000_000));
    const commit = vault.commit('Another');
    mount('-o', 'remount,size=21m', disk);
    // What a push sends is put together on the disk first.
    await expect(pushRemote({ ...remote, commit })).rejects.toMatchObject({ code: 'repository_full' });
    mount('-o', 'remount,size=60m', disk);
    expect(await pushRemote({ ...remote, commit })).toEqual({ outcome: 'pushed' });
  });
});
