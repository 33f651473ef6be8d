import { type GivenTrailRules, parseTrailRules, trailViewRules } from '@grove/trails';
import { parsePathRule, type ViewRules } from '@grove/vault';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessScope, Principal } from '../contract.ts';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const RULES = `deletes: deny
types:
  book:
    folder: Books
    template: Templates/Book
    required:
      author: link
      status: [to-read, done]
    optional:
      rating: number
  secret:
    folder: Private
    required:
      code: text
  meeting note:
    folder: [Work, Archive]
    folder_only: false
  idea:
    tags_include_type: false
`;

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    { '.obsidian/app.json': '{}', '.grove/vault.yaml': RULES, 'Templates/Book.md': '', 'Books/A.md': '' },
    { writes: true },
  );
});
afterAll(() => vault.close());

const as = (rules: Partial<ViewRules>, ...scopes: AccessScope[]) =>
  vault.opened.scope(
    STDIO,
    { readPaths: [], writePaths: [], denyPaths: [], readOnly: false, ...rules },
    { scopes },
  );

it('the status lists the rules that the writes of a caller have to keep to', async () => {
  const { rules } = await vault.ok('vault_status');
  expect(rules).toEqual({
    may: 'write',
    deletes: 'deny',
    types: [
      {
        type: 'book',
        folders: ['Books'],
        folder_only: true,
        template: 'Templates/Book.md',
        tag: 'book',
        required: ['author: link', 'status: to-read|done'],
        optional: ['rating: number'],
      },
      { type: 'secret', folders: ['Private'], folder_only: true, tag: 'secret', required: ['code: text'] },
      { type: 'meeting note', folders: ['Work', 'Archive'], folder_only: false, tag: 'meeting-note' },
      { type: 'idea' },
    ],
    types_total: 4,
  });
  const { text } = await vault.call('vault_status');
  expect(text).toContain(
    '- You may write; deletes: deny\n- Types:\n  - book: in Books/, which is for it alone; ',
  );
  expect(text).toContain('\n  - meeting note: in Work/ or Archive/; tag meeting-note\n  - idea\n');
});

it('nothing is told of what a caller may not write or see', async () => {
  const denyPaths = ['Private', 'Templates'].map(parsePathRule);
  const narrow = await vault.ok(
    'vault_status',
    {},
    as({ denyPaths, writePaths: [parsePathRule('Books')] }, 'append'),
  );
  expect(narrow.rules).toMatchObject({ may: 'add', write_paths: ['Books'], types_total: 2 });
  expect(narrow.rules.types.map(({ type }: { type: string }) => type)).toEqual(['book', 'idea']);
  expect(narrow.rules).not.toHaveProperty('deletes');
  expect(JSON.stringify(narrow)).not.toMatch(/secret|Private|Templates/i);
  expect((await vault.ok('vault_status', {}, as({}, 'read'))).rules).toEqual({ may: 'read' });
  expect((await vault.ok('vault_status', {}, as({ readOnly: true }, 'write'))).rules).toEqual({
    may: 'read',
  });
});

it('a trail without rights to write hears what a vault that is not written says', async () => {
  const guest: Principal = { kind: 'trail', id: 'k_guest', name: 'Guest', trail: 't_guest' };
  const status = async (given: GivenTrailRules, ...scopes: AccessScope[]) =>
    await vault.call(
      'vault_status',
      {},
      vault.opened.scope(guest, trailViewRules(parseTrailRules(given)), { scopes, trail: true }),
    );
  const reader = await status({ allowPaths: ['Books'] }, 'read');
  expect(reader.structured).toMatchObject({ writes: { on: false }, rules: { may: 'read' } });
  const writer = await status({ allowPaths: ['Books'], writeFolders: ['Books'] }, 'read', 'append');
  expect(writer.structured).toMatchObject({ writes: { on: true }, rules: { may: 'add' } });
  expect(writer.text).toContain('- Writing: on');
  const bare = await status({ allowPaths: ['Books'], writeFolders: ['Books'] }, 'read');
  expect(bare.structured).toMatchObject({ writes: { on: false }, rules: { may: 'read' } });
  await vault.opened.writes.switch(false);
  const off = await status({ allowPaths: ['Books'], writeFolders: ['Books'] }, 'read', 'append');
  const writingLine = /^- Writing: .*$/m;
  expect(writingLine.exec(reader.text)?.[0]).toBe(writingLine.exec(off.text)?.[0]);
  expect(off.structured?.writes).toEqual(reader.structured?.writes);
});
