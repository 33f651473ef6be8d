import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePathRule } from '@grove/vault';
import { expect, it } from 'vitest';
import { openTestVault, STDIO } from '../testing/opened.ts';

const brokenRepository = (root: string): void => {
  mkdirSync(join(root, '.git', 'objects'), { recursive: true });
  mkdirSync(join(root, '.git', 'refs'));
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git', 'config'), '[core]\n\trepositoryformatversion = 7\n');
};

it('a vault whose history cannot be written is read, and says why it is not written', async () => {
  const vault = await openTestVault({ 'A.md': 'a pangolin\n' }, { writes: true, prepare: brokenRepository });
  try {
    expect((await vault.ok('query', { query: 'pangolin' })).total).toBe(1);
    const error = await vault.fail('write_note', { path: 'A.md', action: 'append', content: 'x' });
    expect(['writes_unavailable', 'repository_unwritable']).toContain(error.code);
    expect(error.message.length).toBeGreaterThan(30);
    expect((await vault.ok('vault_status')).writes).toMatchObject({ on: true, problem: expect.any(String) });
    const narrow = vault.opened.scope(
      STDIO,
      { readPaths: [], writePaths: [], denyPaths: [parsePathRule('X')], readOnly: false },
      { scopes: ['write'] },
    );
    expect((await vault.ok('vault_status', {}, narrow)).writes).toEqual({ on: true });
    expect(readFileSync(join(vault.folder.root, 'A.md'), 'utf8')).toBe('a pangolin\n');
  } finally {
    await vault.close();
  }
});
