import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
afterEach(() => vault.close());

const NEWER = '{:file/name-format :triple-lowbar :pages-directory "pages"}';

async function open(config: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  vault = await openTestVault(
    { 'logseq/config.edn': config, 'pages/Old.md': '- old\n', ...files },
    { writes: true },
  );
}

const append = (path: string, more: object = {}) =>
  vault.ok('write_note', { action: 'append', path, content: 'A line', ...more });

it.each([
  [NEWER, 'My Page', 'pages/My Page.md'],
  [NEWER, '[[Project/Grove: notes]]', 'pages/Project___Grove%3A notes.md'],
  [NEWER, 'pages/By path', 'pages/By path.md'],
  [NEWER, 'C#', 'pages/C%23.md'],
  [NEWER, 'con', 'pages/con___.md'],
  ['{}', 'Project/Grove', 'pages/Project%2FGrove.md'],
  ['{:pages-directory "notes"}', 'Mine', 'notes/Mine.md'],
  [NEWER, 'Nov 29th, 2026', 'journals/2026_11_29.md'],
  [NEWER, 'today', 'journals/2026_11_30.md'],
])('in a graph with %s a page named %j is made as %s', async (config, name, path) => {
  await open(config);
  expect(await append(name)).toMatchObject({ created: true, path });
  expect(readFileSync(join(vault.folder.root, path), 'utf8')).toBe('- A line\n');
  // The name means that page from then on.
  expect(await append(name, { repeat: true })).toMatchObject({ path });
  expect((await vault.ok('get', { path: name })).path).toBe(path);
});

it('a batch meets the page that it has just made', async () => {
  await open(NEWER);
  const operations = ['one', 'two'].map((content) => ({ action: 'append', path: 'a/b', content }));
  await vault.ok('write_note', { operations, atomic: true });
  expect(readFileSync(join(vault.folder.root, 'pages/a___b.md'), 'utf8')).toBe('- one\n- two\n');
});

it('a page that is not there is not edited, and names of nothing are refused', async () => {
  await open(NEWER);
  const fail = async (input: object) => (await vault.fail('write_note', input)).code;
  const edits = [{ find: 'a', replace: 'b' }];
  expect(await fail({ action: 'edit', path: 'My Page', edits })).toBe('note_not_found');
  expect(await fail({ action: 'append', path: 'My Page#Heading', content: 'x' })).toBe('note_not_found');
  expect(await fail({ action: 'append', path: '..', content: 'x' })).toMatch(/bad_path|note_not_found/);
  expect(readdirSync(join(vault.folder.root, 'pages'))).toEqual(['Old.md']);
});

it('other vaults still want a path', async () => {
  vault = await openTestVault({ '.obsidian/app.json': '{}' }, { writes: true });
  const error = await vault.fail('write_note', { action: 'append', path: 'My Page', content: 'x' });
  expect([error.code, error.next]).toEqual(['note_not_found', expect.stringContaining('"My Page.md"')]);
});
