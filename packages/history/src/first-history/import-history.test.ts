import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { initGitDir } from '../repository/initialise.ts';
import { type ImportedCommit, importHistory } from './import-history.ts';

const author = { name: 'Ada Löwe', email: 'ada@example.org' };
const text = (content: string) => Buffer.from(content);

describeWithPrograms('importHistory', ['git'], () => {
  it('writes what git itself would have written, also with the git dir elsewhere', async () => {
    const workTree = temporaryFolder();
    const location = await initGitDir(join(temporaryFolder(), 'git'), { workTree });
    const commits: ImportedCommit[] = [
      {
        message: 'First\n\nWith a body',
        author,
        time: 1_600_000_000_999,
        files: [
          { path: 'A.md', content: text('a\r\n') },
          { path: 'b/[x] 日本.md', content: text('x\n') },
          { path: 'b/c/Empty.md', content: text('') },
          { path: '.obsidian/workspace.json', content: text('{}') },
        ],
      },
      {
        message: 'Second',
        author,
        time: 1_600_000_100_000,
        files: [
          { path: 'A.md', content: null },
          { path: 'b/c/Empty.md', content: text('full\n') },
        ],
      },
    ];
    await importHistory(location, commits);
    const git = new SystemGit(workTree);
    const run = (...args: string[]) => git.run(`--git-dir=${location.gitDir}`, ...args);
    expect(run('fsck', '--strict')).toBe('');
    expect(run('status', '--porcelain')).toBe('');
    expect(run('log', '--format=%at %ct %an <%ae> %s')).toBe(
      '1600000100 1600000100 Ada Löwe <ada@example.org> Second\n' +
        '1600000000 1600000000 Ada Löwe <ada@example.org> First\n',
    );
    expect(run('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0').filter(Boolean)).toEqual([
      '.obsidian/workspace.json',
      'b/[x] 日本.md',
      'b/c/Empty.md',
    ]);
    expect(run('cat-file', 'blob', 'HEAD~1:A.md')).toBe('a\r\n');
    await expect(importHistory(location, commits)).rejects.toMatchObject({ code: 'bad_input' });
  });
});
