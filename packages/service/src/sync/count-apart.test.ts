import { locateGitDir, openGitStore } from '@grove/history';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { countApart } from './count-apart.ts';

describeWithPrograms('commits between two tips', ['git'], () => {
  it('are as many as git counts, through merges and forks', async () => {
    const git = SystemGit.init();
    const at = (name: string): string => git.run('rev-parse', name).trim();
    git.commit('0');
    git.run('branch', 'side');
    for (const name of ['1', '2', '3']) git.commit(name);
    git.run('checkout', '-q', 'side');
    for (const name of ['a', 'b']) git.commit(name);
    git.run('branch', 'early', 'HEAD~1');
    git.run('merge', '-q', '--no-ff', '-m', 'merge', 'main~1');
    git.commit('c');
    await using store = await openGitStore((await locateGitDir(git.dir))!);
    const names = ['main', 'side', 'early', 'main~3', 'side~1'];
    for (const ours of names)
      for (const theirs of names) {
        const [ahead, behind] = git
          .run('rev-list', '--left-right', '--count', `${ours}...${theirs}`)
          .trim()
          .split('\t')
          .map(Number);
        expect(await countApart(store, at(ours), at(theirs)), `${ours} ${theirs}`).toEqual({ ahead, behind });
      }
    expect(await countApart(store, at('main'), null)).toEqual({ ahead: 4, behind: 0 });
    expect(await countApart(store, null, null)).toEqual({ ahead: 0, behind: 0 });
  });
});
