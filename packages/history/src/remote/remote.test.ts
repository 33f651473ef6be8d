import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeWithPrograms,
  protectBranches,
  type SystemGit,
  temporaryFolder,
  writeFiles,
} from '@grove/testing';
import { expect, it } from 'vitest';
import { openGitStore } from '../git-store.ts';
import { initGitDir } from '../repository/initialise.ts';
import { locateGitDir } from '../repository/locate.ts';
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
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
    expect(await store.resolveRef('refs/remotes/origin/main')).toBe(tip);
    expect((await store.blobAt(tip, 'Plan.md'))?.bytes.toString()).toContain('Water');
    expect(vault.run('status', '--porcelain')).toBe('');
    expect(vault.run('log', '--oneline', 'HEAD..origin/main').trim().split('\n')).toHaveLength(1);
    expectSound(vault);
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
  });

  it('takes a branch by any name that git allows', async () => {
    const sides = await twoSides();
    const { other, vault, bare } = sides;
    const branch = 'für/immer&"ewig"';
    other.run('checkout', '-q', '-b', branch);
    const tip = other.commit('There');
    other.run('push', '-q', 'origin', branch);
    expect(await fetchRemote({ ...options(sides), branch })).toEqual({ tip, isEmpty: false });
    vault.run('checkout', '-q', '--detach', tip);
    const commit = vault.commit('Here');
    expect(await pushRemote({ ...options(sides), branch, commit })).toEqual({ outcome: 'pushed' });
    expect(bare.run('rev-parse', branch).trim()).toBe(commit);
    for (const hostile of ['../../../HEAD', 'x.lock', 'a..b', ''])
      await expect(fetchRemote({ ...options(sides), branch: hostile })).rejects.toMatchObject({
        code: 'bad_input',
      });
    expectSound(vault);
  });

  it('tells of a branch that is not there', async () => {
    const sides = await twoSides();
    expect(await fetchRemote({ ...options(sides), branch: 'none' })).toEqual({ tip: null, isEmpty: false });
  });
});

describeWithPrograms('a fetch into', ['git'], () => {
  it('a linked git dir, one of Grove outside of the vault, and one with packed refs', async () => {
    const sides = await twoSides();
    const { other, vault } = sides;
    const tree = join(temporaryFolder('linked'), 'linked tree');
    vault.run('worktree', 'add', '-q', '-b', 'side', tree);
    const apart = temporaryFolder('apart');
    const own = await initGitDir(join(temporaryFolder('data'), 'git'), { workTree: apart });
    vault.run('pack-refs', '--all');
    other.write('Plan.md', '# Plan\n\nWater.\n');
    const tip = other.commit('Water');
    other.run('push', '-q');
    for (const location of [(await locateGitDir(tree))!, own]) {
      expect(await fetchRemote({ ...options(sides), location })).toEqual({ tip, isEmpty: false });
      await using store = await openGitStore(location);
      expect(await store.resolveRef('refs/remotes/origin/main')).toBe(tip);
      expect((await store.blobAt(tip, 'Garden/Beds.md'))?.bytes.toString()).toContain('peas');
    }
    expectSound(vault);
  });

  it('one that is far ahead asks on until it finds what both have', async () => {
    const sides = await twoSides();
    const { other, vault, server } = sides;
    for (let at = 0; at < 300; at++) other.write(`Many/Note ${at}.md`, `# ${Math.sin(at)}\n`);
    other.commit('Many');
    other.run('push', '-q');
    await fetchRemote(options(sides));
    vault.run('merge', '-q', '--ff-only', 'origin/main');
    for (let at = 0; at < 120; at++) vault.run('commit', '-q', '--allow-empty', '-m', `Here ${at}`);
    vault.run('update-ref', '-d', 'refs/remotes/origin/main');
    other.write('Many/Note 7.md', '# Seven\n');
    const tip = other.commit('Seven');
    other.run('push', '-q');
    const before = server.seen.length;
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
    expect(server.seen.slice(before).filter(({ method }) => method === 'POST').length).toBeGreaterThan(2);
    const packs = join(vault.dir, '.git', 'objects', 'pack');
    const newest = readdirSync(packs)
      .filter((name) => name.endsWith('.idx'))
      .map((name) => vault.run('verify-pack', '-v', join(packs, name)))
      .find((listed) => listed.includes(tip))!;
    expect(newest.match(/^[0-9a-f]{40} blob/gm)).toHaveLength(1);
    expectSound(vault);
  });

  it('a repository that holds the commit alone brings the rest', async () => {
    const sides = await twoSides();
    const { other, vault, location } = sides;
    other.write('New.md', '# New\n');
    const tip = other.commit('New');
    other.run('push', '-q');
    writeFiles(vault.dir, { '.git/commit-alone': other.bytes('cat-file', 'commit', tip) });
    expect(vault.run('hash-object', '-t', 'commit', '-w', '.git/commit-alone').trim()).toBe(tip);
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
    await using store = await openGitStore(location);
    expect((await store.blobAt(tip, 'New.md'))?.bytes.toString()).toBe('# New\n');
    expectSound(vault);
  });

  it('follows a branch that was rewritten there, and refuses what lacks objects', async () => {
    const sides = await twoSides();
    const { other, vault, bare } = sides;
    other.write('Plan.md', '# Again\n');
    other.run('add', '-A');
    other.run('commit', '-q', '--amend', '-m', 'Begin again');
    other.run('push', '-q', '--force');
    const tip = other.run('rev-parse', 'HEAD').trim();
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
    const commit = vault.run('rev-parse', 'HEAD').trim();
    expect(await pushRemote({ ...options(sides), commit })).toEqual({ outcome: 'behind' });
    expectSound(vault);
    // A server that was restored from half a backup.
    const damaged = bare.run('commit-tree', '-m', 'x', '-p', tip, `${tip}^{tree}`).trim();
    bare.run('update-ref', 'refs/heads/main', damaged);
    rmSync(join(bare.dir, 'objects', damaged.slice(0, 2), damaged.slice(2)));
    await expect(fetchRemote(options(sides))).rejects.toMatchObject({
      code: expect.stringMatching(/^remote_/),
    });
    expectSound(vault);
  });
});

describeWithPrograms('a push', ['git'], () => {
  it('that comes second while it is made is told so', async () => {
    const sides = await twoSides();
    const { other, vault, server } = sides;
    other.write('Plan.md', '# Faster\n');
    other.commit('Faster');
    server.beforePost = () => {
      server.beforePost = null;
      other.run('push', '-q');
    };
    const commit = vault.commit('Slower');
    expect(await pushRemote({ ...options(sides), commit })).toEqual({ outcome: 'behind' });
  });

  it('of a merge sends nothing that the remote has', async () => {
    const sides = await twoSides();
    const { other, vault, bare } = sides;
    for (let at = 0; at < 30; at++) other.write(`There ${at}.md`, `# ${Math.sin(at)}\n`);
    other.commit('There');
    other.run('push', '-q');
    await fetchRemote(options(sides));
    vault.write('Here.md', '# Here\n');
    vault.commit('Here');
    vault.run('merge', '-q', '-m', 'Merge', 'origin/main');
    const commit = vault.run('rev-parse', 'HEAD').trim();
    bare.run('config', 'receive.unpackLimit', '1');
    const before = readdirSync(join(bare.dir, 'objects', 'pack'));
    expect(await pushRemote({ ...options(sides), commit })).toEqual({ outcome: 'pushed' });
    const added = readdirSync(join(bare.dir, 'objects', 'pack')).filter((name) => !before.includes(name));
    const index = added.find((name) => name.endsWith('.idx'))!;
    // Two commits, a tree of each, one note.
    const listed = bare.run('verify-pack', '-v', join('objects', 'pack', index)).split('\n');
    expect(listed.filter((line) => /^[0-9a-f]{40} (commit|tree|blob)/.test(line))).toHaveLength(5);
    bare.run('fsck', '--full', '--strict');
  });

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
