import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { openWriter } from '../testing/git-twin.ts';

describeWithPrograms('one pass of a writer', ['git'], () => {
  it('holds on to what it saw until the index is locked, and ends with its work', async () => {
    const git = SystemGit.init();
    git.write('A.md', 'a\n');
    git.commit();
    await using writer = await openWriter(git.dir);
    const isIgnored = async () => (await writer.rules('B.md')).ignored;
    await writer.inOnePass(async () => {
      expect(await isIgnored()).toBe(false);
      git.write('.gitignore', 'B.md\n');
      expect(await isIgnored()).toBe(false);
      await using _ = await writer.lockIndex();
      expect(await isIgnored()).toBe(true);
      git.write('.gitignore', '');
      expect(await isIgnored()).toBe(true);
    });
    expect(await isIgnored()).toBe(false);
    git.write('.gitignore', 'B.md\n');
    expect(await isIgnored()).toBe(true);
  });

  it('ends when its work fails', async () => {
    const git = SystemGit.init();
    await using writer = await openWriter(git.dir);
    const failing = writer.inOnePass(async () => {
      await writer.rules('B.md');
      throw new Error('as it happens');
    });
    await expect(failing).rejects.toThrow('as it happens');
    git.write('.gitignore', 'B.md\n');
    expect((await writer.rules('B.md')).ignored).toBe(true);
  });
});
