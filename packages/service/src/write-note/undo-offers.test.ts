import { describe, expect, it } from 'vitest';
import type { Scope } from '../contract.ts';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const NOTES = { 'A.md': 'a\n', 'B.md': 'b\n', 'Linker.md': '[[A]]\n' };

async function withVault(settings: string, work: (vault: TestVault) => Promise<void>): Promise<void> {
  const vault = await openTestVault({ ...NOTES, '.grove/vault.yaml': settings }, { writes: true });
  try {
    await work(vault);
  } finally {
    await vault.close();
  }
}

describe('the call that takes a change back', () => {
  it('is not offered where it would delete and nothing may be deleted; the owner is told what to do', () =>
    withVault('deletes: deny\n', async (vault) => {
      const made = await vault.ok('write_note', { path: 'New.md', content: 'x\n' });
      expect(made).not.toHaveProperty('undo');
      expect(made.remarks.join(' ')).toContain('grove revert');
      expect((await vault.fail('write_note', { action: 'delete', path: 'New.md', if_hash: '*' })).code).toBe(
        'delete_denied',
      );
      const changed = await vault.ok('write_note', { path: 'New.md', action: 'append', content: 'y' });
      expect(changed.remarks).toEqual([]);
      expect((await vault.ok('write_note', changed.undo)).action).toBe('restore');
      const moved = await vault.ok('write_note', { action: 'move', path: 'A.md', to: 'C.md', if_hash: '*' });
      expect((await vault.ok('write_note', moved.undo)).path).toBe('A.md');
    }));

  it('says that a person is asked where deletions are', () =>
    withVault('deletes: confirm\n', async (vault) => {
      const made = await vault.ok('write_note', { path: 'New.md', content: 'x\n' });
      expect(made.undo).toMatchObject({ action: 'delete' });
      expect(made.remarks.join(' ')).toContain('a person has to agree');
    }));

  it('tells who may not read no hash of what others wrote', () =>
    withVault('deletes: trash\n', async (vault) => {
      const writer: Scope = { ...vault.scope, may: { read: false, append: true, write: true } };
      const write = (input: object) => vault.ok('write_note', input, writer);
      const hashes = (answer: object) =>
        JSON.stringify(answer).match(/"(?:if|source|content)_hash":"[0-9a-f]{16}"/g);
      for (const input of [
        { action: 'append', path: 'B.md', content: 'more' },
        { action: 'edit', path: 'B.md', edits: [{ find: 'b', replace: 'c' }] },
        { action: 'frontmatter', path: 'B.md', set: { a: 1 } },
        { action: 'move', path: 'A.md', to: 'C.md', if_hash: '*' },
      ]) {
        const answer = await write(input);
        expect([input.action, hashes(answer)]).toEqual([input.action, null]);
        expect(answer).not.toHaveProperty('undo');
      }
      const gone = await write({ action: 'delete', path: 'B.md', if_hash: '*' });
      const back = await write(gone.undo);
      expect([hashes(gone), hashes(back), back.undo]).toEqual([null, null, undefined]);
      // Its own words it may know.
      const made = await write({ path: 'Mine.md', content: 'mine\n' });
      expect((await write(made.undo)).action).toBe('delete');
    }));
});
