import { describeWithPrograms, type SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { type OpenedEngine, openedEngine } from '../testing/opened-engine.ts';

/** Moves the branch as a program does that knows nothing of the index: a commit of one path on top of it. */
function commitBeside(git: SystemGit, path: string, text: string, message: string): string {
  const blob = git.feed(text, 'hash-object', '-w', '--stdin').trim();
  const tree = git
    .run('ls-tree', 'HEAD')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(`\t${path}`));
  const made = git.feed(`${[...tree, `100644 blob ${blob}\t${path}`].join('\n')}\n`, 'mktree').trim();
  const commit = git.run('commit-tree', made, '-p', 'HEAD', '-m', message).trim();
  git.run('update-ref', 'refs/heads/main', commit);
  return commit;
}

async function racing(times: number, race: (git: SystemGit, count: number) => void): Promise<OpenedEngine> {
  let count = 0;
  const vault: OpenedEngine = await openedEngine(
    { 'Plan.md': 'one\n', 'Other.md': 'other\n' },
    {
      step: (at) => {
        if (at !== 'placed' || count >= times) return;
        count += 1;
        race(vault.git, count);
      },
    },
  );
  return vault;
}

describeWithPrograms('a write whose branch is moved by somebody else', ['git'], () => {
  it('is built anew on the new tip, with what a person had changed', async () => {
    const vault = await racing(1, (git) => commitBeside(git, 'Other.md', 'newer\n', 'Beside'));
    vault.git.write('Plan.md', 'one\nby hand\n');
    const { commit } = await vault.write('Plan.md', 'two\n');
    const subjects = ['Write Plan.md', 'Outside edit: Plan.md', 'Beside', 'Begin'];
    expect(vault.git.run('log', '--format=%s').trim().split('\n')).toEqual(subjects);
    expect(vault.git.run('rev-parse', 'HEAD').trim()).toBe(commit);
    await vault.engine.settled();
    // Whoever moved the branch without its files left these behind.
    vault.git.run('checkout', '-q', '--', 'Other.md');
    vault.git.run('checkout', '-q', 'HEAD', '--', 'Other.md');
    expectSound(vault.git);
  });

  it('is that of the other program where both say the same', async () => {
    let theirs = '';
    const vault = await racing(1, (git) => {
      theirs = commitBeside(git, 'Plan.md', 'two\n', 'Beside');
    });
    const { commit } = await vault.write('Plan.md', 'two\n');
    expect(commit).toBe(theirs);
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('is undone where the new tip has the note otherwise', async () => {
    const vault = await racing(1, (git) => commitBeside(git, 'Plan.md', 'theirs\n', 'Beside'));
    await expect(vault.write('Plan.md', 'two\n')).rejects.toMatchObject({
      code: 'write_conflict',
      status: 409,
    });
    expect(vault.text('Plan.md')).toBe('one\n');
    expect(vault.git.run('log', '--format=%s').trim().split('\n')).toEqual(['Beside', 'Begin']);
    await vault.engine.settled();
    expectSound(vault.git, ['Plan.md']);
  });

  it('is undone, with its new folders, when the branch never stands still', async () => {
    let count = 0;
    const vault: OpenedEngine = await openedEngine({ 'Other.md': '0\n' });
    await vault.engine.close();
    const { lookingFs } = await import('../testing/looking-fs.ts');
    await vault.again({
      fs: lookingFs((_, name, path) => {
        if (name !== 'link' || !path.endsWith('/refs/heads/main.lock')) return;
        count += 1;
        commitBeside(vault.git, 'Other.md', `${count}\n`, `Beside ${count}`);
      }),
    });
    await expect(vault.write('New/Folder/Plan.md', 'two\n')).rejects.toMatchObject({
      code: 'write_conflict',
    });
    expect(count).toBe(5);
    expect(vault.text('New/Folder/Plan.md')).toBeNull();
    await vault.engine.settled();
    vault.git.run('checkout', '-q', 'HEAD', '--', 'Other.md');
    expectSound(vault.git);
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(vault.root).sort()).toEqual(['.git', 'Other.md']);
  });
});
