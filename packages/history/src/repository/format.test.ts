import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { openGitStore } from '../git-store.ts';
import { locateGitDir } from './locate.ts';

async function openWith(config: string): Promise<unknown> {
  const git = SystemGit.init();
  const location = (await locateGitDir(git.dir))!;
  appendFileSync(join(git.dir, '.git/config'), config);
  return openGitStore(location);
}

describeWithPrograms('the format of a repository', ['git'], () => {
  it('refuses a repository that names its objects by SHA-256', async () => {
    const git = new SystemGit(temporaryFolder());
    git.run('init', '-q', '--object-format=sha256');
    await expect(locateGitDir(git.dir)).rejects.toMatchObject({
      code: 'repository_unreadable',
      data: { reason: 'its objects are named by sha256' },
    });
  });

  it.each([
    [
      '[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n',
      'its refs are stored as reftable',
    ],
    ['[core]\nrepositoryformatversion = 2\n', 'its format has version 2'],
    ['[core]\nrepositoryformatversion = x\n', 'its format has version NaN'],
    ['[core]\nrepositoryformatversion = 1\n[extensions]\nFuture = 1\n', 'it uses the extension future = 1'],
  ])('refuses %j', async (config, reason) => {
    await expect(openWith(config)).rejects.toMatchObject({ code: 'repository_unreadable', data: { reason } });
  });

  it.each([
    '[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\nobjectFormat = sha1\n',
    // Before version 1 an unknown extension means nothing.
    '[extensions]\nfuture = 1\n',
  ])('reads %j', async (config) => {
    expect(await openWith(config)).toBeDefined();
  });

  it('reads a partial clone, and says so where an object was never fetched', async () => {
    const origin = SystemGit.init();
    origin.write('A.md', 'a\n');
    const commit = origin.commit();
    origin.run('config', 'uploadpack.allowFilter', 'true');
    const clone = new SystemGit(temporaryFolder());
    clone.run('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${origin.dir}`, 'vault');
    const location = (await locateGitDir(join(clone.dir, 'vault')))!;
    await using store = await openGitStore(location);
    const [entry] = await store.readTree((await store.readCommit(commit)).tree);
    expect(entry).toMatchObject({ name: 'A.md' });
    await expect(store.readBlob(entry!.oid)).rejects.toMatchObject({
      code: 'repository_unreadable',
      data: { reason: expect.stringContaining('partial clone') },
    });
  });
});
