import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { judgeNotes } from './note-fields.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({ 'A.md': 'fox\n', 'B.md': 'lynx\n', 'C.md': 'fox\n' });
});
afterAll(() => vault.close());

it('reads the text of so many notes and no more', async () => {
  const judge = judgeNotes(vault.scope, (row, fields) => String(fields.content(row)).includes('fox'), 2);
  const [a, b, c] = vault.scope.view.notes();
  expect([await judge(a!), await judge(b!)]).toEqual([true, false]);
  await expect(judge(c!)).rejects.toMatchObject({
    code: 'bad_filter',
    hint: expect.stringContaining('query'),
  });
});

it('reads nothing where the question does not come to the text', () => {
  const judge = judgeNotes(vault.scope, (row, fields) => row.size > 100 && fields.content(row) !== '', 0);
  expect(vault.scope.view.notes().map(judge)).toEqual([false, false, false]);
});
