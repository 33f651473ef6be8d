import {
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { locateGitDir } from '../repository/locate.ts';
import { cloneRemote } from './clone-remote.ts';
import { fetchRemote, pushRemote } from './remote.ts';
import { type TwoSides, twoSides } from './testing/two-sides.ts';

const newFolder = () => join(temporaryFolder('clone'), 'a new', 'vault');

describeWithPrograms('a clone', ['git'], () => {
  it('is the one that git would make', async () => {
    const { other, url, bare } = await twoSides('my notes Ä.git');
    other.write('Übung & Co/Täglich.md', '# Heute\n');
    other.write('.gitattributes', '*.bat text eol=crlf\n');
    other.write('run.bat', 'echo 1\necho 2\n');
    other.write('tool.sh', '#!/bin/sh\n');
    symlinkSync('/etc/passwd', join(other.dir, 'link.md'));
    other.run('update-index', '--add', '--chmod=+x', 'tool.sh');
    other.run('config', 'core.fileMode', 'false');
    const tip = other.commit('More');
    other.run('push', '-q');
    const dir = newFolder();
    expect(await cloneRemote({ url, dir, token: null })).toEqual({ commit: tip, branch: 'main' });
    const git = new SystemGit(dir);
    expect(git.run('status', '--porcelain', '--branch')).toBe('## main...origin/main\n');
    expect(readFileSync(join(dir, 'Übung & Co', 'Täglich.md'), 'utf8')).toBe('# Heute\n');
    expect(readFileSync(join(dir, 'run.bat'), 'utf8')).toBe('echo 1\r\necho 2\r\n');
    expect(statSync(join(dir, 'tool.sh')).mode & 0o111).not.toBe(0);
    expect(git.run('fsck', '--full', '--strict')).toBe('');
    expect(git.run('ls-tree', '-r', 'HEAD')).toBe(bare.run('ls-tree', '-r', 'main'));
    expect(git.run('config', 'remote.origin.url').trim()).toBe(url);
    // A link is in the history and not on disk, and the next commit keeps it.
    expect(git.run('ls-files', '-t', 'link.md')).toBe('S link.md\n');
    git.write('Plan.md', '# Plan anew\n');
    git.commit('Anew');
    expect(git.run('ls-tree', '--name-only', 'HEAD', 'link.md')).toBe('link.md\n');
    expect(readdirSync(dir).sort()).toEqual(
      ['.git', '.gitattributes', 'Garden', 'Plan.md', 'run.bat', 'tool.sh', 'Übung & Co'].sort(),
    );
  });

  it('of an empty repository takes the first push', async () => {
    const root = await twoSides();
    new SystemGit(join(root.bare.dir, '..')).run('init', '-q', '--bare', '-b', 'main', 'empty.git');
    const dir = newFolder();
    const url = root.server.url('empty.git');
    expect(await cloneRemote({ url, dir, token: null })).toEqual({ commit: null, branch: 'main' });
    const git = new SystemGit(dir);
    git.write('First.md', '# First\n');
    const commit = git.commit('First');
    const location = (await locateGitDir(dir))!;
    const options = { location, url, name: 'origin', branch: 'main', token: null };
    expect(await fetchRemote(options)).toEqual({ tip: null, isEmpty: true });
    expect(await pushRemote({ ...options, commit })).toEqual({ outcome: 'pushed' });
    expect(await fetchRemote(options)).toEqual({ tip: commit, isEmpty: false });
    expect(git.run('status', '--porcelain', '--branch')).toBe('## main...origin/main\n');
  });

  it('of some commits stays shallow, fetches and pushes', async () => {
    const { other, url, bare } = await twoSides();
    for (const text of ['one', 'two', 'three']) {
      other.write('Plan.md', `# Plan ${text}\n`);
      other.commit(text);
    }
    other.run('push', '-q');
    const dir = newFolder();
    await cloneRemote({ url, dir, token: null, depth: 1 });
    const git = new SystemGit(dir);
    expect(git.run('rev-list', '--count', 'HEAD').trim()).toBe('1');
    const location = (await locateGitDir(dir))!;
    const options = { location, url, name: 'origin', branch: 'main', token: null };
    other.write('Plan.md', '# Plan four\n');
    const tip = other.commit('four');
    other.run('push', '-q');
    expect(await fetchRemote(options)).toEqual({ tip, isEmpty: false });
    git.run('merge', '-q', '--ff-only', 'origin/main');
    expect(git.run('rev-list', '--count', 'HEAD').trim()).toBe('2');
    git.write('Mine.md', '# Mine\n');
    const commit = git.commit('Mine');
    expect(await pushRemote({ ...options, commit })).toEqual({ outcome: 'pushed' });
    expect(bare.run('rev-parse', 'main').trim()).toBe(commit);
    expect(git.run('fsck', '--full')).toBe('');
    bare.run('fsck', '--full');
  });
});

describeWithPrograms('a clone that fails', ['git'], () => {
  const nothing = async ({ url }: TwoSides, code: string, more: object = {}) => {
    const dir = newFolder();
    await expect(cloneRemote({ url, dir, token: null, ...more })).rejects.toMatchObject({ code });
    expect(existsSync(join(dir, '..'))).toBe(false);
  };

  it('leaves nothing behind', async () => {
    const sides = await twoSides();
    await nothing(sides, 'remote_branch_missing', { branch: 'none' });
    sides.server.cutAfter = 100;
    await nothing(sides, 'remote_unreachable');
    sides.server.status = 404;
    await nothing(sides, 'remote_missing');
  });

  it.each([
    ['.git', [['100644', '.git']]],
    ['.GIT', [['40000', '.GIT']]],
    ['..', [['40000', '..']]],
    ['a/b', [['100644', 'a/b']]],
    [
      'a',
      [
        ['120000', 'a'],
        ['40000', 'a'],
      ],
    ],
  ])('refuses a history with hostile names: %s', async (name, entries) => {
    const sides = await twoSides();
    const { bare } = sides;
    const oidOf = (mode: string) =>
      bare.run('rev-parse', mode === '40000' ? 'main:Garden' : 'main:Plan.md').trim();
    const tree = entries.map(([mode = '', entry = '']) =>
      Buffer.concat([Buffer.from(`${mode} ${entry}\0`), Buffer.from(oidOf(mode), 'hex')]),
    );
    const hash = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
    const oid = bare.feed(Buffer.concat(tree), ...hash).trim();
    const commit = bare.run('commit-tree', '-m', 'Hostile', oid).trim();
    bare.run('update-ref', 'refs/heads/main', commit);
    const dir = newFolder();
    await expect(cloneRemote({ url: sides.url, dir, token: null })).rejects.toMatchObject({
      code: 'remote_history_unusable',
      data: { reason: expect.stringContaining(`"${name}"`) },
    });
    expect(existsSync(join(dir, '..'))).toBe(false);
  });

  it('refuses a history of more paths than a disk can take', async () => {
    const { bare, url } = await twoSides();
    const wide = (entry: string) =>
      bare.feed(Array.from({ length: 500 }, (_, at) => `${entry}\t${at}\n`).join(''), 'mktree').trim();
    const notes = wide(`100644 blob ${bare.run('rev-parse', 'main:Plan.md').trim()}`);
    const tree = wide(`040000 tree ${notes}`);
    const commit = bare.run('commit-tree', '-m', 'Many', tree).trim();
    bare.run('update-ref', 'refs/heads/main', commit);
    await expect(cloneRemote({ url, dir: newFolder(), token: null })).rejects.toMatchObject({
      code: 'remote_history_unusable',
      data: { reason: 'it holds more files, or longer paths, than can be made' },
    });
  });

  it('refuses a repository of another format', async () => {
    const sides = await twoSides();
    const root = new SystemGit(join(sides.bare.dir, '..'));
    const other = new SystemGit(temporaryFolder('sha256'));
    other.run('init', '-q', '-b', 'main', '--object-format=sha256');
    other.commit('Begin');
    root.run('clone', '-q', '--bare', other.dir, 'long.git');
    const url = sides.server.url('long.git');
    await expect(cloneRemote({ url, dir: newFolder(), token: null })).rejects.toMatchObject({
      code: 'remote_history_unusable',
      data: { reason: 'its objects are named by sha256, and Grove reads those of sha1' },
    });
  });

  it.runIf(process.geteuid?.() === 0)('made by root belongs to whom the folder belongs', async () => {
    const { url } = await twoSides();
    const dir = temporaryFolder('theirs');
    chownSync(dir, 12_345, 12_345);
    await cloneRemote({ url, dir, token: null });
    for (const name of ['.git', '.git/HEAD', '.git/objects/pack', 'Plan.md', 'Garden/Beds.md'])
      expect([name, lstatSync(join(dir, name)).uid]).toEqual([name, 12_345]);
  });

  it('leaves nothing when it is called off, and tells how far it is', async () => {
    const { url, server } = await twoSides();
    server.stallAfter = 100;
    const dir = newFolder();
    const abort = new AbortController();
    const phases = new Set<string>();
    const call = cloneRemote({ url, dir, token: null, signal: abort.signal });
    call.catch(() => {});
    while (!existsSync(join(dir, '.grove-clone', '.git', 'objects'))) await setTimeout(20);
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(existsSync(join(dir, '..'))).toBe(false);
    server.stallAfter = null;
    await cloneRemote({ url, dir, token: null, onProgress: ({ phase }) => phases.add(phase) });
    expect([...phases][0]).toBe('receiving bytes');
  });

  it('refuses a folder with files, and takes one where a clone was killed', async () => {
    const { url } = await twoSides();
    const dir = temporaryFolder('taken');
    writeFileSync(join(dir, 'Mine.md'), '# Mine\n');
    await expect(cloneRemote({ url, dir, token: null })).rejects.toMatchObject({
      code: 'clone_folder_taken',
    });
    expect(readdirSync(dir)).toEqual(['Mine.md']);
    const killed = new SystemGit(temporaryFolder('killed'));
    killed.write('.grove-clone/.git/HEAD', 'ref: refs/heads/main\n');
    await cloneRemote({ url, dir: killed.dir, token: null });
    expect(killed.run('status', '--porcelain')).toBe('');
    expect(readdirSync(killed.dir)).toContain('Plan.md');
  });
});
