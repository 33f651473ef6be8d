import { diskWriteFs, type WriteFs } from '@grove/core';
import { parsePathRule } from '@grove/vault';
import { expect, it } from 'vitest';
import { openTestVault, STDIO } from '../testing/opened.ts';

/** A disk without second names, as exFAT and some network shares are. */
const noLinks: WriteFs = {
  ...diskWriteFs,
  link: async () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' });
  },
};

it('says to the owner, and to nobody else, that notes are written without hard links', async () => {
  const vault = await openTestVault({ 'A.md': 'a\n' }, { writes: true, fs: noLinks });
  try {
    expect((await vault.ok('vault_status')).writes).toEqual({ on: true });
    await vault.ok('write_note', { path: 'A.md', action: 'append', content: 'more' });
    const { structured, text } = await vault.call('vault_status');
    expect(structured).toMatchObject({ writes: { on: true, note: expect.stringContaining('hard link') } });
    expect(text).toContain('- Writing: on. No hard link can be made');
    const rules = { readPaths: [parsePathRule('A.md')], writePaths: [], denyPaths: [], readOnly: false };
    const narrow = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
    expect((await vault.ok('vault_status', {}, narrow)).writes).toEqual({ on: true });
    const other = await openTestVault({ 'A.md': 'a\n' }, { writes: true });
    await other.ok('write_note', { path: 'A.md', action: 'append', content: 'more' });
    expect((await other.ok('vault_status')).writes).toEqual({ on: true });
    await other.close();
  } finally {
    await vault.close();
  }
});
