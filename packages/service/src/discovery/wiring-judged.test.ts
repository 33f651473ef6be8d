import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_TRAIL_RULES, trailViewRules } from '@grove/trails';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const LATER = new Date('2026-11-26T10:00:00Z');
const HIDDEN = '---\nprivate: true\naliases: [cover word]\n---\n';

let vault: TestVault;
let trails = [{ ...NO_TRAIL_RULES, allowPaths: ['Open'] }];
const problems: unknown[] = [];

async function open(setting: string): Promise<void> {
  const files = {
    '.obsidian/app.json': '{}',
    '.grove/vault.yaml': `discovery: ${setting}\n`,
    'Open/Codename.md': '---\naliases: [cover word]\n---\n',
    'Open/Wheelbarrow.md': '# Wheelbarrow\n',
    'Open/Log.md': 'Of the Wheelbarrow.\n',
  };
  const onProblem = ({ cause }: { readonly cause: unknown }) => problems.push(cause);
  vault = await openTestVault(files, { writes: true, trails: () => trails, onProblem });
}

beforeEach(() => {
  trails = [{ ...NO_TRAIL_RULES, allowPaths: ['Open'] }];
});
afterEach(async () => {
  await vault.close();
  expect(problems.splice(0)).toEqual([]);
});

const text = (path: string): Promise<string> => readFile(join(vault.folder.root, path), 'utf8');
const wired = async (): Promise<void> => await vault.scope.writes.notes?.end();

it('no link leads to a note that was hidden from a trail on disk just before', async () => {
  await open('wire');
  await vault.folder.write({ 'Open/Codename.md': HIDDEN }, LATER);
  await vault.ok('write_note', { path: 'Open/New.md', content: 'The cover word of Wheelbarrow.' });
  await vault.ok('write_note', { path: 'Shut.md', content: 'The cover word of Wheelbarrow.' });
  await wired();
  expect(await text('Open/New.md')).toBe('The cover word of [[Wheelbarrow]].\n');
  expect(await text('Shut.md')).toBe('The [[Codename|cover word]] of [[Wheelbarrow]].\n');
});

it('no link is suggested to a note that was hidden on disk just before', async () => {
  await open('suggest');
  const rules = trailViewRules({ ...trails[0]!, writeFolders: ['Open'] });
  const trail = vault.opened.scope(STDIO, rules, { scopes: ['read', 'append', 'write'] });
  await vault.folder.write({ 'Open/Codename.md': HIDDEN }, LATER);
  const { suggestions } = await vault.ok(
    'write_note',
    { path: 'Open/New.md', content: 'The cover word of Wheelbarrow.' },
    trail,
  );
  expect(suggestions.map(({ path }: Loose) => path)).toEqual(['Open/Wheelbarrow.md']);
});

it('nothing is linked after a write of who may only append', async () => {
  await open('wire');
  const appender = vault.opened.scope(STDIO, undefined, { scopes: ['read', 'append'] });
  await vault.ok(
    'write_note',
    { path: 'Open/Log.md', action: 'append', content: 'Now Wheelbarrow.' },
    appender,
  );
  await vault.ok('write_note', { path: 'Open/Made.md', content: 'Wheelbarrow.' }, appender);
  await wired();
  expect(await text('Open/Log.md')).toBe('Of the Wheelbarrow.\n\nNow Wheelbarrow.\n');
  expect(await text('Open/Made.md')).toBe('Wheelbarrow.\n');
});
