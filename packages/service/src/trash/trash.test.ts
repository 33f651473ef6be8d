import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { callChecked, type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import type { TrashInput } from './contract.ts';
import { trash } from './operation.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const DAY = 86_400_000;

let vault: TestVault;
let now: number;
afterEach(() => vault.close());

async function open(files: Record<string, string>, options: Parameters<typeof openTestVault>[1] = {}) {
  now = Date.parse('2026-11-30T12:00:00Z');
  vault = await openTestVault(files, { writes: true, clock: { now: () => now }, ...options });
}

const owner = (): Scope => vault.opened.scope(OWNER, undefined, { scopes: ['write'] });
async function call(input: Partial<TrashInput> = {}, scope = owner()): Promise<Loose> {
  const answer = await callChecked(trash, scope, input);
  expect(answer.error, answer.text).toBeNull();
  return answer.structured;
}
const remove = async (...paths: string[]): Promise<Loose> =>
  await vault.ok('write_note', {
    operations: paths.map((path) => ({ action: 'delete', path, if_hash: '*' })),
  });
const inTrash = (): string[] => {
  const folder = join(vault.folder.root, '.trash');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('the trash', () => {
  it('is listed with when, what and how much, and told of in health', async () => {
    await open({ 'A.md': 'a\n', 'b/B.md': 'bb\n', 'C.md': 'c\n' });
    expect(await call()).toMatchObject({ batches: [], batches_total: 0, notes: 0, bytes: 0 });
    expect(await vault.ok('vault_status')).not.toHaveProperty('trash');
    await remove('b/B.md', 'A.md');
    now += DAY;
    await remove('C.md');
    const listed = await call();
    expect(listed).toMatchObject({
      batches: [
        { notes: ['C.md'], notes_total: 1, bytes: 2 },
        { notes: ['A.md', 'b/B.md'], deleted: '2026-11-30T12:00:00Z', bytes: 5 },
      ],
      notes: 3,
      bytes: 7,
    });
    expect((await callChecked(trash, owner(), {})).text).toContain('A.md, b/B.md');
    expect((await vault.ok('vault_status')).trash).toEqual({ notes: 3, bytes: 7 });
  });

  it('is emptied of what is old enough, after a dry run that changes nothing; the history keeps the notes', async () => {
    await open({ 'A.md': 'a\n', 'B.md': 'b\n' });
    await remove('A.md');
    now += 40 * DAY;
    await remove('B.md');
    const dry = await call({ empty: true, older_than: '30d', dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, batches: [{ notes: ['A.md'] }], left: [] });
    expect(inTrash()).toHaveLength(2);
    const done = await call({ empty: true, older_than: '30d' });
    expect(done).toMatchObject({ emptied: true, batches: dry.batches });
    expect((await call()).batches).toMatchObject([{ notes: ['B.md'] }]);
    expect((await vault.fail('write_note', { action: 'restore', path: 'A.md' })).code).toBe('not_in_trash');
    const { commits } = await vault.ok('vault_status', { mode: 'history', path: 'A.md' });
    const from = { revision: `${commits[0].commit}^` };
    await vault.ok('write_note', { action: 'restore', path: 'A.md', from });
    expect(await call({ empty: true })).toMatchObject({ batches: [{ notes: ['B.md'] }] });
    expect(inTrash()).toEqual([]);
  });

  it('keeps a batch, by name, in which a note is not as the history holds it', async () => {
    await open({ 'A.md': 'a\n', 'B.md': 'b\n', 'C.md': 'c\n' });
    const { results } = await remove('A.md', 'B.md');
    now += 1000;
    await remove('C.md');
    const { batch } = results[0].undo.from;
    writeFileSync(join(vault.folder.root, '.trash', batch, 'B.md'), 'words that nobody committed\n');
    const done = await call({ empty: true });
    expect(done).toMatchObject({
      batches: [{ notes: ['C.md'] }],
      left: [{ batch, reason: expect.stringContaining('"B.md"') }],
    });
    expect(inTrash()).toEqual([batch]);
    expect(readdirSync(join(vault.folder.root, '.trash', batch)).sort()).toEqual(['A.md', 'B.md']);
  });

  it('leaves what Grove did not put there, and follows no link', async () => {
    await open({ 'A.md': 'a\n' });
    const { results } = await remove('A.md');
    const top = join(vault.folder.root, '.trash');
    writeFileSync(join(top, 'Obsidian.md'), 'of another program\n');
    mkdirSync(join(vault.folder.root, 'Real'));
    writeFileSync(join(vault.folder.root, 'Real/Note.md'), 'note\n');
    symlinkSync(join(vault.folder.root, 'Real'), join(top, '20261130-120000-abcdef'));
    const { batch } = results[0].undo.from;
    symlinkSync(join(vault.folder.root, 'Real/Note.md'), join(top, batch, 'Link.md'));
    expect(await call({ empty: true })).toMatchObject({ batches: [], left: [{ batch }] });
    expect(existsSync(join(vault.folder.root, 'Real/Note.md'))).toBe(true);
    expect(readdirSync(top).sort()).toEqual(['20261130-120000-abcdef', batch, 'Obsidian.md'].sort());
  });

  it('works while writing is off, and is for the owner alone, who hears only of what this process may show', async () => {
    await open(
      { 'A.md': 'a\n', 'Denied/B.md': 'b\n' },
      { policy: { ...allowAll, denyPaths: [parsePathRule('Denied')] } },
    );
    await remove('A.md');
    mkdirSync(join(vault.folder.root, '.trash/20261130-120000-abcdef/Denied'), { recursive: true });
    writeFileSync(join(vault.folder.root, '.trash/20261130-120000-abcdef/Denied/B.md'), 'b\n');
    await vault.opened.writes.switch(false);
    for (const scope of [
      vault.opened.scope(STDIO, undefined, { scopes: ['write'] }),
      vault.opened.scope({ kind: 'key', id: 'k', name: 'k' }, undefined, { scopes: ['write', 'admin'] }),
      vault.opened.scope(OWNER, undefined, { scopes: ['read'] }),
    ])
      expect((await callChecked(trash, scope, {})).error?.code).toBe('scope_missing');
    expect(await call()).toMatchObject({ batches_total: 1, notes: 1 });
    expect(await call({ empty: true })).toMatchObject({ batches: [{ notes: ['A.md'] }] });
    expect(inTrash()).toEqual(['20261130-120000-abcdef']);
    const narrow = vault.opened.scope(
      OWNER,
      { ...allowAll, readPaths: [parsePathRule('Open')] },
      { scopes: ['write'] },
    );
    expect((await callChecked(trash, narrow, {})).error).toMatchObject({
      code: 'writes_unavailable',
      message: expect.stringContaining('path rules'),
    });
    expect((await callChecked(trash, owner(), { dry_run: true })).error?.code).toBe('bad_input');
    expect((await callChecked(trash, owner(), { empty: true, older_than: 'soon' })).error?.code).toBe(
      'bad_filter',
    );
  });

  it('is not emptied by a command that may only read, and not of what it may not write', async () => {
    await open({ 'A.md': 'a\n', 'Kept/B.md': 'b\n' });
    await remove('A.md');
    await remove('Kept/B.md');
    const ruled = (rules: Partial<typeof allowAll>): Scope =>
      vault.opened.scope(OWNER, { ...allowAll, ...rules }, { scopes: ['write'] });
    for (const dry_run of [true, false]) {
      const refused = await callChecked(trash, ruled({ readOnly: true }), { empty: true, dry_run });
      expect(refused.error?.code).toBe('read_only');
    }
    expect(await call({}, ruled({ readOnly: true }))).toMatchObject({ batches_total: 2 });
    const writing = ruled({ writePaths: [parsePathRule('A.md')] });
    expect(await call({ empty: true }, writing)).toMatchObject({
      batches: [{ notes: ['A.md'] }],
      left: [{ reason: expect.stringContaining('"Kept/B.md" may not be changed') }],
    });
    expect(inTrash()).toHaveLength(1);
  });
});
