import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { initGitDir } from './initialise.ts';

describeWithPrograms('initGitDir', ['git'], () => {
  it('makes a git dir beside the notes that the system git works with', async () => {
    const parent = temporaryFolder();
    const workTree = join(parent, 'my "notes" \\ ünï');
    mkdirSync(workTree);
    writeFileSync(join(workTree, 'A.md'), 'a\r\n');
    mkdirSync(join(workTree, '.trash'));
    writeFileSync(join(workTree, '.trash/old.md'), 'old');
    const gitDir = join(parent, 'vaults/my-notes/git');
    expect(await initGitDir(gitDir, { workTree })).toEqual({
      gitDir,
      commonDir: gitDir,
      workTreeRoot: workTree,
      prefix: '',
    });
    const git = new SystemGit(parent);
    const run = (...args: string[]) => git.run(`--git-dir=${gitDir}`, ...args);
    expect(run('status', '--porcelain')).toBe('?? A.md\n');
    run('add', '-A');
    run('commit', '-q', '-m', 'First');
    expect(run('symbolic-ref', 'HEAD')).toBe('refs/heads/main\n');
    expect(run('cat-file', 'blob', 'HEAD:A.md')).toBe('a\r\n');
    expect(run('fsck', '--strict')).toBe('');
    expect(run('reflog')).toContain('First');
  });

  it('makes an ordinary repository when the git dir is inside', async () => {
    const folder = temporaryFolder();
    await initGitDir(join(folder, '.git'), { workTree: folder });
    const git = new SystemGit(folder);
    git.write('A.md', 'a\n');
    git.commit();
    renameSync(join(folder, '.git'), join(folder, 'aside'));
    renameSync(join(folder, 'aside'), join(folder, '.git'));
    expect(git.run('config', '--local', '--list')).not.toContain('core.worktree');
    expect(git.run('status', '--porcelain')).toBe('');
  });

  it('changes nothing the second time, and follows a folder that moved', async () => {
    const parent = temporaryFolder();
    const gitDir = join(parent, 'git');
    const workTree = join(parent, 'notes');
    mkdirSync(workTree);
    writeFileSync(join(workTree, 'A.md'), 'a\n');
    await initGitDir(gitDir, { workTree });
    const git = new SystemGit(parent);
    const run = (...args: string[]) => git.run(`--git-dir=${gitDir}`, ...args);
    run('config', 'user.name', 'Own setting');
    run('add', '-A');
    run('commit', '-q', '-m', 'First');
    const before = readFileSync(join(gitDir, 'config'), 'utf8');
    await initGitDir(gitDir, { workTree });
    expect(readFileSync(join(gitDir, 'config'), 'utf8')).toBe(before);
    renameSync(workTree, join(parent, 'moved'));
    await initGitDir(gitDir, { workTree: join(parent, 'moved') });
    expect(run('status', '--porcelain')).toBe('');
    expect(run('config', 'user.name')).toBe('Own setting\n');
    expect(run('log', '--format=%s')).toBe('First\n');
  });

  it.each(['HEAD', 'config', 'info', 'refs', 'objects'])('mends a git dir left without %s', async (part) => {
    const parent = temporaryFolder();
    const gitDir = join(parent, 'git');
    await initGitDir(gitDir, { workTree: parent });
    rmSync(join(gitDir, part), { recursive: true });
    await initGitDir(gitDir, { workTree: parent });
    const git = new SystemGit(parent);
    expect(git.run(`--git-dir=${gitDir}`, 'rev-parse', '--show-toplevel')).toBe(`${parent}\n`);
    expect(git.run(`--git-dir=${gitDir}`, 'fsck')).toBe('');
  });
});
