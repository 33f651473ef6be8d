import { parsePathRule } from '@grove/vault';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const FILES = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`n${i}.md`, `fox ${i}\n`]));

let vault: TestVault;
let cursor: string;
beforeAll(async () => {
  vault = await openTestVault({ ...FILES, 'Private/x.md': 'fox\n' });
  cursor = (await vault.ok('list_notes', { limit: 3 })).cursor;
});
afterAll(() => vault.close());

const REFUSED = {
  code: 'bad_cursor',
  message: 'The cursor does not belong to this call.',
  next: 'Send the call again without a cursor.',
};

describe('a cursor', () => {
  it('goes on with the same call, also with another limit', async () => {
    const answer = await vault.ok('list_notes', { limit: 5, cursor });
    expect(answer.notes).toHaveLength(5);
  });

  it('gives the same error for garbage, another call, another View and another principal', async () => {
    const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Private')], readOnly: false };
    const narrower = vault.opened.scope(STDIO, rules);
    const other = vault.opened.scope({ kind: 'key', id: 'other', name: 'other' });
    expect(await vault.fail('list_notes', { cursor: 'garbage' })).toEqual(REFUSED);
    expect(await vault.fail('list_notes', { cursor, sort: 'path' })).toEqual(REFUSED);
    expect(await vault.fail('query', { query: 'fox', cursor })).toEqual(REFUSED);
    expect(await vault.fail('list_notes', { cursor }, narrower)).toEqual(REFUSED);
    expect(await vault.fail('list_notes', { cursor }, other)).toEqual(REFUSED);
  });

  it('says nothing of what it holds, and cannot be changed', async () => {
    const bytes = Buffer.from(cursor, 'base64url');
    expect(bytes.toString('latin1')).not.toContain('.md');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await vault.fail('list_notes', { cursor: changed.toString('base64url') })).toEqual(REFUSED);
    }
  });

  it('refuses any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (text) => {
        expect(await vault.fail('list_notes', { cursor: text })).toEqual(REFUSED);
      }),
      { numRuns: 50 },
    );
    expect(await vault.fail('list_notes', { cursor: 'A'.repeat(1_000_000) })).toEqual(REFUSED);
  });
});
