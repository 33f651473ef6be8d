import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { initGitDir } from '../repository/initialise.ts';
import { ADA, commitPaths, expectSound, openWriter } from '../testing/git-twin.ts';
import { openGitWriter } from './git-writer.ts';
import { NO_USER_SETTINGS } from './rules/user-settings.ts';

const MAIN = 'refs/heads/main';
const NFC = 'Über/Café.md';
const NFD = NFC.normalize('NFD');

/** Saves a file and commits it by Grove. */
async function save(git: SystemGit, path: string, text: string, root = git.dir) {
  await using writer = await openWriter(root);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return commitPaths(writer, root, [{ path, bytes: Buffer.from(text) }]);
}

const filesOf = (git: SystemGit) =>
  git.run('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0').filter(Boolean);

describeWithPrograms('a commit by Grove', ['git'], () => {
  it('holds exactly the paths of the operation, and git finds everything sound', async () => {
    const git = SystemGit.init();
    git.write('A.md', 'a\n');
    git.write('Beds/Bed 1.md', 'one\n');
    git.write('Beds/Deep/x.md', 'x\n');
    git.write('Staged.md', 'old\n');
    git.write('[x].md', 'glob\n');
    git.write('x.md', 'x\n');
    git.commit();
    git.write('Staged.md', 'new\n');
    git.run('add', 'Staged.md');
    git.write('x.md', 'not mine\n');
    await using writer = await openWriter(git.dir);
    git.write('Beds/Bed 1.md', 'two\n');
    git.write('New/Ünï.md', 'n\n');
    git.write('[x].md', 'changed\n');
    git.remove('Beds/Deep/x.md');
    const built = await commitPaths(writer, git.dir, [
      { path: 'Beds/Bed 1.md', bytes: Buffer.from('two\n') },
      { path: 'New/Ünï.md', bytes: Buffer.from('n\n') },
      { path: '[x].md', bytes: Buffer.from('changed\n') },
      { path: 'Beds/Deep/x.md', bytes: null },
    ]);
    expect(git.run('rev-parse', 'HEAD').trim()).toBe(built.oid);
    expect(git.run('-c', 'core.quotePath=false', 'show', '--format=%an%n%B', '--name-status', 'HEAD')).toBe(
      'Ada\nChange\n\n\nM\tBeds/Bed 1.md\nD\tBeds/Deep/x.md\nA\tNew/Ünï.md\nM\t[x].md\n',
    );
    expect(git.run('status', '--porcelain')).toBe('M  Staged.md\n M x.md\n');
    git.commit();
    expectSound(git);
    expect(readdirSync(join(git.dir, '.git/grove'))).toEqual(['owner-mark']);
  });

  it('begins a history where there is none, and ends one with nothing in it', async () => {
    const git = SystemGit.init();
    const built = await save(git, 'A/B/c.md', 'c\n');
    expect(built.parent).toBeNull();
    expect(filesOf(git)).toEqual(['A/B/c.md']);
    expectSound(git);
    await using writer = await openWriter(git.dir);
    rmSync(join(git.dir, 'A'), { recursive: true });
    await commitPaths(writer, git.dir, [{ path: 'A/B/c.md', bytes: null }]);
    expect(filesOf(git)).toEqual([]);
    expectSound(git);
  });

  it('works in a git dir of its own, away from the folder', async () => {
    const root = temporaryFolder();
    const location = await initGitDir(join(temporaryFolder(), 'git'), { workTree: root });
    const clock = { now: () => Date.now() };
    await using writer = await openGitWriter(location, { clock, user: NO_USER_SETTINGS });
    writeFileSync(join(root, 'n.md'), 'n\r\n');
    await commitPaths(writer, root, [{ path: 'n.md', bytes: Buffer.from('n\r\n') }]);
    const git = new SystemGit(location.gitDir);
    expect(git.run('--git-dir', location.gitDir, 'status', '--porcelain')).toBe('');
    expect(git.run('--git-dir', location.gitDir, 'fsck', '--strict')).toBe('');
    expect(git.run('--git-dir', location.gitDir, 'show', 'HEAD:n.md')).toBe('n\r\n');
  });

  it('goes to the branch and the index of a linked work tree alone', async () => {
    const git = SystemGit.init();
    git.write('A.md', 'a\n');
    const before = git.commit();
    const linked = new SystemGit(join(temporaryFolder(), 'linked'));
    git.run('worktree', 'add', '-q', '-b', 'side', linked.dir);
    await save(linked, 'B.md', 'b\n');
    expect(filesOf(linked)).toEqual(['A.md', 'B.md']);
    expect(linked.run('log', '-g', '--format=%gs', 'HEAD').split('\n')[0]).toBe('commit: Change');
    expect(git.run('rev-parse', 'main').trim()).toBe(before);
    expectSound(linked);
    expectSound(git);
  });

  it('stays below the vault of a repository that holds more', async () => {
    const git = SystemGit.init();
    git.write('src/main.c', 'int main;\n');
    git.write('notes/a.md', 'a\n');
    git.commit();
    git.write('.gitignore', 'notes/tmp/\n');
    git.write('notes/.gitattributes', '*.enc.md filter=x\n');
    git.commit();
    const root = join(git.dir, 'notes');
    const built = await save(git, 'deep/b.md', 'b\n', root);
    expect(built.changes[0]!.gitPath).toBe('notes/deep/b.md');
    expect(git.run('show', '--format=', '--name-only', 'HEAD')).toBe('notes/deep/b.md\n');
    await using writer = await openWriter(root);
    await expect(writer.refuse('tmp/x.md')).rejects.toMatchObject({ code: 'git_ignored' });
    await expect(writer.refuse('a.enc.md')).rejects.toMatchObject({ code: 'git_filter_unsupported' });
    expect(await writer.entryAt(built.oid, 'a.md')).toMatchObject({ mode: '100644' });
    expect(await writer.entryAt(built.oid, 'src/main.c')).toBeNull();
    expectSound(git);
  });

  it('leaves submodules and links as they are, and goes into none', async () => {
    const inner = SystemGit.init();
    inner.write('i.md', 'i\n');
    inner.commit();
    const git = SystemGit.init();
    git.write('a.md', 'a\n');
    symlinkSync('a.md', join(git.dir, 'link.md'));
    git.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub');
    git.commit();
    const before = git.run('ls-tree', 'HEAD', 'sub', 'link.md', '.gitmodules');
    await save(git, 'b.md', 'b\n');
    expect(git.run('ls-tree', 'HEAD', 'sub', 'link.md', '.gitmodules')).toBe(before);
    expectSound(git);
    await using writer = await openWriter(git.dir);
    await expect(writer.refuse('sub/i.md')).rejects.toMatchObject({ code: 'git_in_submodule' });
    const parent = await writer.tipOf(MAIN);
    const changes = [{ path: 'sub/i.md', bytes: Buffer.from('x') }];
    const request = { parent, changes, author: ADA, committer: ADA, message: 'm' };
    await expect(writer.buildCommit(request)).rejects.toMatchObject({ code: 'git_in_submodule' });
  });

  it('keeps modes, and follows the disk only where git trusts it', async () => {
    const git = SystemGit.init();
    git.write('run.md', 'a\n');
    git.write('plain.md', 'a\n');
    chmodSync(join(git.dir, 'run.md'), 0o755);
    git.commit();
    await using writer = await openWriter(git.dir);
    const modes = async (mode?: '100644' | '100755') => {
      const parent = await writer.tipOf(MAIN);
      const change = (path: string) => ({
        path,
        bytes: Buffer.from('b\n'),
        ...(mode === undefined ? {} : { mode }),
      });
      const changes = ['run.md', 'plain.md', 'new.md'].map(change);
      const built = await writer.buildCommit({ parent, changes, author: ADA, committer: ADA, message: 'm' });
      return built.changes.map((found) => found.mode);
    };
    expect(await modes()).toEqual(['100755', '100644', '100644']);
    expect(await modes('100755')).toEqual(['100755', '100755', '100755']);
    git.run('config', 'core.fileMode', 'false');
    expect(await modes('100755')).toEqual(['100755', '100644', '100644']);
    git.write('run.md', 'b\n');
    await commitPaths(writer, git.dir, [{ path: 'run.md', bytes: Buffer.from('b\n'), mode: '100644' }]);
    expectSound(git);
    git.run('config', 'core.fileMode', 'true');
    expectSound(git);
  });

  it('never makes a twin of a note that git has in the other Unicode form', async () => {
    for (const [stored, asked] of [
      [NFD, NFC],
      [NFC, NFD],
    ] as const) {
      const git = SystemGit.init();
      git.write(stored, 'one\n');
      git.commit();
      git.write(stored, 'two\n');
      await using writer = await openWriter(git.dir);
      const lock = await writer.lockIndex();
      const head = await writer.head([asked]);
      expect(await writer.entryAt(head.oid, asked)).not.toBeNull();
      const change = { path: asked, bytes: Buffer.from('two\n') };
      const request = { parent: head.oid, changes: [change], author: ADA, committer: ADA, message: 'm' };
      const built = await writer.buildCommit(request);
      expect(built.changes[0]!.gitPath).toBe(stored);
      await writer.writeObjects(built);
      await writer.moveRef({ ref: head.ref, from: head.oid, to: built.oid, reflog: 'x', who: ADA });
      const stat = lstatSync(join(git.dir, stored), { bigint: true });
      await lock.commit([{ path: asked, oid: built.changes[0]!.oid!, mode: '100644', stat }]);
      expect(filesOf(git)).toEqual([stored]);
      expectSound(git);
      git.remove(stored);
      await commitPaths(writer, git.dir, [{ path: asked, bytes: null }]);
      expect(filesOf(git)).toEqual([]);
      expectSound(git);
      const twice = [stored, asked].map((path) => ({ path, bytes: Buffer.from('x') }));
      await expect(writer.buildCommit({ ...request, changes: twice })).rejects.toMatchObject({
        code: 'bad_input',
      });
    }
  });

  it('finds a note in another case where the disk makes no difference', async () => {
    const git = SystemGit.init();
    git.write('Folder/Note.md', 'one\n');
    git.commit();
    git.run('config', 'core.ignoreCase', 'true');
    await using writer = await openWriter(git.dir);
    const changes = [{ path: 'folder/note.md', bytes: Buffer.from('two\n') }];
    const parent = await writer.tipOf(MAIN);
    const built = await writer.buildCommit({ parent, changes, author: ADA, committer: ADA, message: 'm' });
    expect(built.changes[0]!.gitPath).toBe('Folder/Note.md');
    git.run('config', 'core.ignoreCase', 'false');
    const other = await writer.buildCommit({ parent, changes, author: ADA, committer: ADA, message: 'm' });
    expect(other.changes[0]!.gitPath).toBe('folder/note.md');
  });

  it('can be built on one that is not written yet, and says when it changes nothing', async () => {
    const git = SystemGit.init();
    git.write('A.md', 'a\n');
    git.commit();
    await using writer = await openWriter(git.dir);
    const parent = await writer.tipOf(MAIN);
    const make = (from: Parameters<typeof writer.buildCommit>[0]['parent'], path: string, text: string) =>
      writer.buildCommit({
        parent: from,
        changes: [{ path, bytes: Buffer.from(text) }],
        author: ADA,
        committer: ADA,
        message: path,
      });
    const chain = [await make(parent, 'x/1.md', 'one\n')];
    for (let i = 2; i < 6; i++) chain.push(await make(chain.at(-1)!, `x/${i}.md`, `${i}\n`));
    expect((await make(chain.at(-1)!, 'x/3.md', '3\n')).unchanged).toBe(true);
    expect((await make(parent, 'A.md', 'a\n')).unchanged).toBe(true);
    expect((await make(parent, 'x/1.md', 'one\n')).oid).toBe(chain[0]!.oid);
    for (const built of chain) await writer.writeObjects(built);
    await writer.moveRef({ ref: MAIN, from: parent, to: chain.at(-1)!.oid, reflog: 'x', who: ADA });
    expect(filesOf(git)).toEqual(['A.md', 'x/1.md', 'x/2.md', 'x/3.md', 'x/4.md', 'x/5.md']);
    expect(git.run('rev-list', '--count', 'HEAD').trim()).toBe('6');
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('takes no name that git would refuse in a tree, and no path twice', async () => {
    const git = SystemGit.init();
    await using writer = await openWriter(git.dir);
    const make = (...paths: string[]) =>
      writer.buildCommit({
        parent: null,
        changes: paths.map((path) => ({ path, bytes: Buffer.from('x') })),
        author: ADA,
        committer: ADA,
        message: 'm',
      });
    for (const path of [
      '.git/x.md',
      'a/.GIT/x.md',
      '../x.md',
      'a//b.md',
      '',
      'git~1/x.md',
      '.g\u200cit/x',
      './a',
      'a\0b',
    ]) {
      await expect(make(path), path).rejects.toMatchObject({ code: 'bad_path' });
    }
    for (const paths of [
      ['a', 'a'],
      ['a/b', 'a'],
      ['a', 'a/b'],
    ]) {
      await expect(make(...paths)).rejects.toMatchObject({ code: 'bad_input' });
    }
    expect((await make('.github/x.md', 'git~2/x.md', '...')).changes.length).toBe(3);
  });
});

describeWithPrograms('a repository that Grove cannot write soundly', ['git'], () => {
  it.each([
    ['extensions.refStorage', 'reftable', /refs are stored as reftable/],
    ['extensions.objectFormat', 'sha256', /objects are named by sha256/],
    ['extensions.somethingNew', 'x', /extension somethingnew/],
    ['extensions.partialClone', 'origin', /^The git repository cannot be written: it is a partial clone/],
  ])('is named: %s = %s', async (key, value, reason) => {
    const git = SystemGit.init();
    git.write('A.md', 'a\n');
    git.commit();
    await using writer = await openWriter(git.dir);
    expect(await writer.problem()).toBeNull();
    const config = join(git.dir, '.git/config');
    const [section, name] = key.split('.');
    writeFileSync(config, `[core]\n\trepositoryformatversion = 1\n[${section}]\n\t${name} = ${value}\n`);
    expect(await writer.problem()).toMatch(reason);
    expect(await writer.problem()).toMatch(/^The git repository .*\.$/);
  });
});
