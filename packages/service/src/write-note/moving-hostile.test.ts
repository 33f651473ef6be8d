import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const FILES = { 'A.md': '[[B]] [x](d/C.md)\n', 'B.md': 'b\n', 'd/C.md': '[[A]]\n' };

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(FILES, { writes: true });
  writeFileSync(join(dirname(vault.folder.root), 'Outside.md'), 'outside\n');
});
afterAll(() => vault.close());

const odd = fc.oneof(
  fc.constantFrom(
    '..',
    '../Outside.md',
    '/etc/passwd.md',
    '.git/x.md',
    '.trash/x.md',
    'A.md/x.md',
    'd',
    'd/',
  ),
  fc.constantFrom('a\0b.md', '\ud800.md', 'CON.md', 'x'.repeat(300).concat('.md'), `${'a/'.repeat(200)}x.md`),
  fc.constantFrom('HEAD', 'HEAD^', 'HEAD~1', '-1', '20261130-120000-......', '*', '', ' ', 'A.md', '[[B]]'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }).map((text) => `${text}.md`),
);

it('is an error with a code, or a change inside of the vault, whatever is sent', async () => {
  const outside = readdirSync(dirname(vault.folder.root)).sort();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('move', 'delete', 'restore'),
      odd,
      odd,
      fc.constantFrom('batch', 'revision', 'other'),
      fc.constantFrom('*', null, 'x'),
      async (action, path, value, kind, if_hash) => {
        const more = { move: { to: value }, delete: {}, restore: { from: { [kind]: value } } }[action];
        const { error } = await vault.call('write_note', { action, path, if_hash, ...more });
        expect(error?.code).not.toBe('internal');
        expect(readdirSync(dirname(vault.folder.root)).sort()).toEqual(outside);
        if (error !== null) return;
        // Put right again for the next one.
        for (const [name, text] of Object.entries(FILES))
          if (!existsSync(join(vault.folder.root, name)))
            await vault.folder.write({ [name]: text }, new Date());
        await vault.opened.vault.reconcile();
      },
    ),
    { numRuns: 150 },
  );
  expect(readFileSync(join(dirname(vault.folder.root), 'Outside.md'), 'utf8')).toBe('outside\n');
});

it('follows no link that lies where the trash should be', async () => {
  const linked = await openTestVault(FILES, {
    writes: true,
    prepare: (root) => symlinkSync(dirname(root), join(root, '.trash')),
  });
  try {
    const before = readdirSync(dirname(linked.folder.root)).sort();
    const error = await linked.fail('write_note', { action: 'delete', path: 'B.md', if_hash: '*' });
    expect(error.code).toBe('path_refused');
    expect(readdirSync(dirname(linked.folder.root)).sort()).toEqual(before);
    expect(readFileSync(join(linked.folder.root, 'B.md'), 'utf8')).toBe('b\n');
    expect((await linked.fail('write_note', { action: 'restore', path: 'Gone.md' })).code).toMatch(
      /not_in_trash|path_refused/,
    );
  } finally {
    await linked.close();
  }
});
