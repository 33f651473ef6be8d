import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { undoChange } from './undo-change.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const code = (name: string) => expect.objectContaining({ code: name });

let vault: TestVault;
let owner: Scope;
beforeEach(async () => {
  vault = await openTestVault({ 'A.md': 'a\n', 'B.md': '[[A]]\n' }, { writes: true });
  owner = vault.opened.scope(OWNER, undefined, { scopes: ['write'] });
});
afterEach(() => vault.close());

const write = async (call: object): Promise<string> => (await vault.ok('write_note', call)).commit;
const textOf = async (path: string): Promise<string> => (await vault.ok('get', { path })).content;
const isThere = (path: string): boolean => vault.scope.view.notes().some((note) => note.path === path);

describe('undoing a change', () => {
  it('puts back what was there before', async () => {
    const commit = await write({ action: 'append', path: 'A.md', content: 'more' });
    const undone = await undoChange(owner, { commit, path: 'A.md' });
    expect(undone).toMatchObject({ action: 'restore', path: 'A.md' });
    expect(await textOf('A.md')).toBe('a\n');
    // Which is a change too.
    await undoChange(owner, { commit: undone.commit ?? '', path: 'A.md' });
    expect(await textOf('A.md')).toContain('more');
  });

  it('takes away what was new, and brings back what was deleted', async () => {
    const made = await write({ path: 'New.md', content: 'new\n' });
    const gone = await undoChange(owner, { commit: made, path: 'New.md' });
    expect([gone.action, isThere('New.md')]).toEqual(['delete', false]);
    await undoChange(owner, { commit: gone.commit ?? '', path: 'New.md' });
    expect(await textOf('New.md')).toBe('new\n');
  });

  it('renames back, with the links', async () => {
    const commit = await write({ action: 'move', path: 'A.md', to: 'Folder/C.md', if_hash: '*' });
    await undoChange(owner, { commit, path: 'Folder/C.md' });
    expect([isThere('A.md'), isThere('Folder/C.md'), await textOf('B.md')]).toEqual([true, false, '[[A]]\n']);
  });

  it('keeps what was written since, in Grove and beside it', async () => {
    const commit = await write({ action: 'append', path: 'A.md', content: 'more' });
    const later = await write({ action: 'append', path: 'A.md', content: 'later' });
    await expect(undoChange(owner, { commit, path: 'A.md' })).rejects.toThrow(code('stale_hash'));
    await vault.folder.write({ 'A.md': 'typed in an editor\n' }, new Date());
    await expect(undoChange(owner, { commit: later, path: 'A.md' })).rejects.toThrow(code('stale_hash'));
    await write({ action: 'delete', path: 'B.md', if_hash: '*' });
    await expect(undoChange(owner, { commit, path: 'B.md' })).rejects.toThrow(code('revision_not_found'));
  });

  it('knows changes alone that there were', async () => {
    const commit = await write({ action: 'append', path: 'A.md', content: 'more' });
    for (const wish of [
      { commit, path: 'B.md' },
      { commit, path: 'Nowhere.md' },
      { commit: 'f'.repeat(40), path: 'A.md' },
      { commit: 'no commit', path: 'A.md' },
      { commit, path: '../A.md' },
    ])
      await expect(undoChange(owner, wish)).rejects.toThrow(code('revision_not_found'));
  });

  it('is for the owner alone', async () => {
    const commit = await write({ action: 'append', path: 'A.md', content: 'more' });
    const reading = vault.opened.scope(OWNER, undefined, { scopes: ['read'] });
    for (const scope of [vault.scope, reading])
      await expect(undoChange(scope, { commit, path: 'A.md' })).rejects.toThrow(code('scope_missing'));
    expect(await textOf('A.md')).toContain('more');
  });
});
