import { allowAll, parsePathRule } from '@grove/vault';
import { expect, it } from 'vitest';
import { openTestVault, STDIO } from '../testing/opened.ts';

it('restores from what the caller may hear of alone: a commit of hidden notes is as one that never was', async () => {
  const vault = await openTestVault({ 'Open/A.md': 'one\n', 'Shut/B.md': 'one\n' }, { writes: true });
  try {
    const write = (input: object, scope?: Parameters<typeof vault.ok>[2]) =>
      vault.ok('write_note', input, scope);
    const narrow = vault.opened.scope(
      { ...STDIO, id: 'narrow' },
      { ...allowAll, denyPaths: [parsePathRule('Shut')] },
      { scopes: ['write'] },
    );
    const open = await write({ action: 'append', path: 'Open/A.md', content: 'two' });
    const shut = await write({ action: 'append', path: 'Shut/B.md', content: 'two' });
    const mine = await write({ action: 'append', path: 'Open/A.md', content: 'three' }, narrow);
    const restore = (revision: string, path = 'Open/A.md') => ({
      action: 'restore',
      path,
      from: { revision },
      if_hash: '*',
    });
    for (const revision of [
      shut.commit,
      shut.commit.slice(0, 7),
      `${shut.commit}^`,
      'HEAD~9',
      '0'.repeat(40),
    ])
      expect(await vault.fail('write_note', restore(revision), narrow)).toMatchObject({
        code: 'revision_not_found',
      });
    expect((await vault.fail('write_note', restore(open.commit, 'Shut/B.md'), narrow)).code).toBe(
      (await vault.fail('write_note', restore(open.commit, 'Shut/None.md'), narrow)).code,
    );
    // The commit before its own is the last that it may hear of, whatever was written in between.
    const undone = await write({ ...mine.undo }, narrow);
    expect(undone).toMatchObject({ action: 'restore', content_hash: open.content_hash });
    // Who sees everything restores from any of them.
    expect(await write(restore(`${shut.commit}^`))).toMatchObject({ content_hash: open.content_hash });
  } finally {
    await vault.close();
  }
});
