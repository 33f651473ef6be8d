import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { commitPaths, expectSound, openWriter } from '../testing/git-twin.ts';

describeWithPrograms('a commit by Grove', ['git'], () => {
  it('changes exactly its paths, and git finds everything sound', async () => {
    const git = SystemGit.init();
    git.write('A.md', 'a\n');
    git.write('Beds/Bed 1.md', 'one\n');
    git.write('Beds/Deep/x.md', 'x\n');
    git.write('Staged.md', 'old\n');
    git.commit();
    git.write('Staged.md', 'new\n');
    git.run('add', 'Staged.md');
    await using writer = await openWriter(git.dir);
    git.write('Beds/Bed 1.md', 'two\n');
    git.write('New/Ünï.md', 'n\n');
    git.remove('Beds/Deep/x.md');
    const built = await commitPaths(writer, git.dir, [
      { path: 'Beds/Bed 1.md', bytes: Buffer.from('two\n') },
      { path: 'New/Ünï.md', bytes: Buffer.from('n\n') },
      { path: 'Beds/Deep/x.md', bytes: null },
    ]);
    expect(git.run('rev-parse', 'HEAD').trim()).toBe(built.oid);
    expect(git.run('-c', 'core.quotePath=false', 'show', '--format=%an%n%B', '--name-status', 'HEAD')).toBe(
      'Ada\nChange\n\n\nM\tBeds/Bed 1.md\nD\tBeds/Deep/x.md\nA\tNew/Ünï.md\n',
    );
    expect(git.run('status', '--porcelain')).toBe('M  Staged.md\n');
    expect(git.run('log', '-g', '--format=%gs', 'HEAD').split('\n')[0]).toBe('commit: Change');
    expect(git.run('log', '-g', '--format=%gs', 'main').split('\n')[0]).toBe('commit: Change');
    git.commit();
    expectSound(git);
    expect(readdirSync(join(git.dir, '.git/grove'))).toEqual([]);
  });

  it('begins a history where there is none', async () => {
    const git = SystemGit.init();
    git.write('A/B/c.md', 'c\n');
    await using writer = await openWriter(git.dir);
    const built = await commitPaths(writer, git.dir, [{ path: 'A/B/c.md', bytes: Buffer.from('c\n') }]);
    expect(built.parent).toBeNull();
    expect(git.run('ls-tree', '-r', '--name-only', 'HEAD')).toBe('A/B/c.md\n');
    expectSound(git);
    await commitPaths(writer, git.dir, []);
    git.remove('A/B/c.md');
    await commitPaths(writer, git.dir, [{ path: 'A/B/c.md', bytes: null }]);
    expect(git.run('ls-tree', '-r', 'HEAD')).toBe('');
    expectSound(git);
  });
});
