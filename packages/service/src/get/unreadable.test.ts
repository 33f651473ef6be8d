import { link, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPrograms, makeFifo } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const NFD = 'Ünïcode.md'.normalize('NFD');

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    'Plain.md': 'visible platypus\n',
    '.hidden/Note.md': 'hidden platypus\n',
    'Latin.md': Buffer.from('caf\u00e9 platypus\n', 'latin1'),
    'Huge.md': `platypus ${'x'.repeat(5 * 1024 * 1024)}`,
    [NFD]: 'decomposed wombat\n',
    'Case.md': 'upper echidna\n',
    'case.md': 'lower echidna\n',
    'a b.md': 'space quokka\n',
    'a-b.md': 'dash quokka\n',
    'a_b.md': 'underscore quokka\n',
  });
  const { root } = vault.folder;
  await writeFile(join(root, '..', 'outside.md'), 'outside platypus\n');
  await symlink(join(root, '..'), join(root, 'Elsewhere'));
  await symlink(join(root, '..', 'outside.md'), join(root, 'Linked.md'));
  await link(join(root, '..', 'outside.md'), join(root, 'Hard.md'));
  await vault.opened.vault.reconcile();
});
afterAll(() => vault.close());

describe('what is no note', () => {
  it.each([
    'Linked.md',
    'Elsewhere/outside.md',
    'Hard.md',
    '.hidden/Note.md',
    'Latin.md',
    'Huge.md',
    '../outside.md',
  ])('is answered for %s by one coded error, and nothing of it is read', async (path) => {
    const error = await vault.fail('get', { path });
    expect(['note_not_found', 'bad_path']).toContain(error.code);
    expect(JSON.stringify(error)).not.toContain('platypus');
    const many = await vault.ok('multi_get', { paths: [path] });
    expect(many).toMatchObject({ notes: [], errors: [{ error: { code: expect.any(String) } }] });
  });

  it('is neither found nor listed', async () => {
    for (const searches of [
      [{ type: 'lex', query: 'platypus' }],
      [{ type: 'text', query: 'platypus' }],
      [{ type: 'regex', query: 'platypus' }],
    ]) {
      const { hits } = await vault.ok('query', { searches });
      expect(hits.map((hit: { path: string }) => hit.path)).toEqual(['Plain.md']);
    }
    const { notes } = await vault.ok('list_notes', {});
    expect(notes.map((note: { path: string }) => note.path).sort()).toEqual(
      ['Plain.md', 'Case.md', 'case.md', 'a b.md', 'a-b.md', 'a_b.md', NFD.normalize('NFC')].sort(),
    );
  });
});

describeWithPrograms('a FIFO', ['mkfifo'], () => {
  it('is answered for by one coded error, and nothing waits for it', async () => {
    makeFifo(join(vault.folder.root, 'Pipe.md'));
    await vault.opened.vault.reconcile();
    expect((await vault.fail('get', { path: 'Pipe.md' })).code).toBe('note_not_found');
    expect(await vault.ok('multi_get', { paths: ['Pipe.md'] })).toMatchObject({
      notes: [],
      errors: [{ error: { code: 'note_not_found' } }],
    });
    expect((await vault.ok('list_notes', { match: 'Pipe' })).total).toBe(0);
  });
});

describe('names that are nearly the same', () => {
  it('reads a decomposed file name by either Unicode form', async () => {
    for (const path of [NFD, NFD.normalize('NFC')])
      expect(await vault.ok('get', { path })).toMatchObject({
        path: NFD.normalize('NFC'),
        content: 'decomposed wombat\n',
      });
  });

  it('keeps notes apart that differ only in case, or in space, dash and underscore', async () => {
    expect((await vault.ok('get', { path: 'Case.md' })).content).toBe('upper echidna\n');
    expect((await vault.ok('get', { path: 'case.md' })).content).toBe('lower echidna\n');
    for (const [path, content] of [
      ['a b', 'space'],
      ['a-b', 'dash'],
      ['a_b', 'underscore'],
    ] as const)
      expect((await vault.ok('get', { path })).content).toBe(`${content} quokka\n`);
    expect((await vault.ok('query', { query: 'quokka' })).total).toBe(3);
    expect((await vault.ok('list_notes', { match: '^a_b$' })).total).toBe(1);
  });
});
