import { chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { locateGitDir } from './locate.ts';

function repository(): SystemGit {
  const git = SystemGit.init(temporaryFolder());
  git.write('notes/garden/A.md', 'a\n');
  git.commit();
  return git;
}

const refused = (reason: RegExp) => ({
  code: 'repository_unreadable',
  data: { reason: expect.stringMatching(reason) },
});

describeWithPrograms('locateGitDir', ['git'], () => {
  it("finds a folder's own repository", async () => {
    const { dir } = repository();
    const gitDir = join(dir, '.git');
    expect(await locateGitDir(dir)).toEqual({ gitDir, commonDir: gitDir, workTreeRoot: dir, prefix: '' });
  });

  it('finds none for a plain folder and for one that is not there', async () => {
    const folder = temporaryFolder();
    expect(await locateGitDir(folder)).toBeNull();
    expect(await locateGitDir(join(folder, 'missing'))).toBeNull();
  });

  it('finds the repository above a tracked folder, with the prefix', async () => {
    const { dir } = repository();
    expect(await locateGitDir(join(dir, 'notes/garden'))).toMatchObject({
      gitDir: join(dir, '.git'),
      workTreeRoot: dir,
      prefix: 'notes/garden',
    });
  });

  it('does not take a repository above that does not hold the folder', async () => {
    const { dir } = repository();
    mkdirSync(join(dir, 'untracked'));
    expect(await locateGitDir(join(dir, 'untracked'))).toBeNull();
    const unborn = SystemGit.init();
    mkdirSync(join(unborn.dir, 'notes'));
    expect(await locateGitDir(join(unborn.dir, 'notes'))).toBeNull();
  });

  it('goes through a symbolic link to the vault itself', async () => {
    const { dir } = repository();
    const link = join(temporaryFolder(), 'vault');
    symlinkSync(join(dir, 'notes'), link);
    expect(await locateGitDir(link)).toMatchObject({ workTreeRoot: dir, prefix: 'notes' });
  });

  it('follows a linked work tree to its own HEAD and the shared folder', async () => {
    const git = repository();
    const tree = join(temporaryFolder(), 'linked tree');
    git.run('worktree', 'add', '-q', '-b', 'other', tree);
    expect(await locateGitDir(join(tree, 'notes'))).toEqual({
      gitDir: join(git.dir, '.git/worktrees/linked-tree'),
      commonDir: join(git.dir, '.git'),
      workTreeRoot: tree,
      prefix: 'notes',
    });
    renameSync(tree, `${tree} moved`);
    await expect(locateGitDir(`${tree} moved`)).rejects.toMatchObject(refused(/worktree repair/));
  });

  it('follows a submodule and a separate git dir', async () => {
    const inner = repository();
    const outer = repository();
    outer.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'vault');
    expect(await locateGitDir(join(outer.dir, 'vault'))).toMatchObject({
      gitDir: join(outer.dir, '.git/modules/vault'),
      workTreeRoot: join(outer.dir, 'vault'),
      prefix: '',
    });
    const apart = new SystemGit(temporaryFolder());
    const gitDir = join(temporaryFolder(), 'apart.git');
    apart.run('init', '-q', '--separate-git-dir', gitDir);
    expect(await locateGitDir(apart.dir)).toMatchObject({ gitDir, workTreeRoot: apart.dir });
  });

  it('follows a link to a git dir that stands alone', async () => {
    const git = repository();
    const gitDir = join(temporaryFolder(), 'vault.git');
    renameSync(join(git.dir, '.git'), gitDir);
    symlinkSync(gitDir, join(git.dir, '.git'));
    expect(await locateGitDir(git.dir)).toMatchObject({ gitDir, workTreeRoot: git.dir });
  });

  it('refuses the repository of another folder, whether by link or by file', async () => {
    const { dir } = repository();
    const byLink = temporaryFolder();
    symlinkSync(join(dir, '.git'), join(byLink, '.git'));
    await expect(locateGitDir(byLink)).rejects.toMatchObject(refused(/another folder/));
    const byFile = temporaryFolder();
    writeFileSync(join(byFile, '.git'), `gitdir: ${dir}/.git\n`);
    await expect(locateGitDir(byFile)).rejects.toMatchObject(refused(/another folder/));
    // Below such a folder it is no repository at all.
    mkdirSync(join(byFile, 'notes'));
    expect(await locateGitDir(join(byFile, 'notes'))).toBeNull();
  });

  it('refuses a bare repository and one whose work tree is elsewhere', async () => {
    const { dir } = repository();
    const bare = new SystemGit(temporaryFolder());
    bare.run('clone', '-q', '--bare', dir, 'vault.git');
    writeFileSync(join(bare.dir, '.git'), 'gitdir: vault.git\n');
    await expect(locateGitDir(bare.dir)).rejects.toMatchObject(refused(/bare/));
    const elsewhere = repository();
    elsewhere.run('config', 'core.worktree', temporaryFolder());
    await expect(locateGitDir(elsewhere.dir)).rejects.toMatchObject(refused(/core\.worktree/));
  });

  it.skipIf(process.getuid?.() !== 0)('refuses a git dir of another user', async () => {
    const { dir } = repository();
    chownSync(join(dir, '.git'), 54_321, 54_321);
    await expect(locateGitDir(dir)).rejects.toMatchObject(refused(/another user/));
    // The vault's own user may be another one than the server's.
    chownSync(dir, 54_321, 54_321);
    expect(await locateGitDir(dir)).toMatchObject({ prefix: '' });
  });

  it.each([
    ['that leads nowhere', 'gitdir: /nowhere/at/all\n'],
    ['that is no pointer', 'hello\n'],
    ['that is empty', ''],
  ])('refuses a .git file %s', async (_, content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.git'), content);
    await expect(locateGitDir(folder)).rejects.toMatchObject(refused(/does not lead to a git dir/));
  });

  it.each(['HEAD', 'objects', 'refs'])('refuses a repository whose %s is gone', async (part) => {
    const { dir } = repository();
    renameSync(join(dir, '.git', part), join(dir, '.git', 'moved'));
    await expect(locateGitDir(dir)).rejects.toMatchObject({ code: 'repository_unreadable' });
  });

  it('takes an empty .git folder for no repository, as git does', async () => {
    const { dir } = repository();
    mkdirSync(join(dir, 'notes/.git'));
    expect(await locateGitDir(join(dir, 'notes'))).toMatchObject({ workTreeRoot: dir, prefix: 'notes' });
  });
});
