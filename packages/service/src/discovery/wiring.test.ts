import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_TRAIL_RULES } from '@grove/trails';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, expect, it } from 'vitest';
import { revert } from '../revert/operation.ts';
import { callChecked, type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import type { Files } from '../testing/vault-folder.ts';
import { undoChange } from '../undo-change/undo-change.ts';
import type { OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';

const WRITE = { scopes: ['write'] } as const;

let vault: TestVault;
const problems: unknown[] = [];
afterEach(async () => {
  await vault.close();
  expect(problems.splice(0)).toEqual([]);
});

const NOTES: Files = {
  '.obsidian/app.json': '{}',
  '.grove/vault.yaml': 'discovery: wire\n',
  'Beds/Compost.md': '---\naliases: [the heap]\n---\n# Compost\n',
  'People/Ada Lovelace.md': '# Ada\n\nWrote of compost.\n',
  'Private/Xylophone.md': '',
  'Log.md': '# Log\n',
};

async function open(files: Files = NOTES, options: Partial<OpenOwnedVaultOptions> = {}): Promise<void> {
  const onProblem = ({ cause }: { readonly cause: unknown }) => problems.push(cause);
  vault = await openTestVault(files, { writes: true, onProblem, ...options });
}

const write = (input: object, scope = vault.scope): Promise<Loose> => vault.ok('write_note', input, scope);
const text = (path: string): Promise<string> => readFile(join(vault.folder.root, path), 'utf8');
const wired = async (): Promise<void> => await vault.scope.writes.notes?.end();
const commits = async (): Promise<Loose[]> =>
  (await vault.ok('vault_status', { mode: 'history', limit: 5 })).commits;

it('links are added after the answer, the first mention of each note only, and the hash of the answer holds', async () => {
  await open();
  const content = 'Ada Lovelace and the compost: compost by\u2028Ada Lovelace.';
  const done = await write({ path: 'New.md', content });
  expect(done).not.toHaveProperty('suggestions');
  await wired();
  const linked = '[[Ada Lovelace]] and the [[Compost|compost]]: compost by\u2028Ada Lovelace.\n';
  expect(await text('New.md')).toBe(linked);
  const read = await vault.ok('get', { path: 'New.md' });
  expect(read.source_hash).toBe(done.source_hash);
  expect(read.content_hash).not.toBe(done.content_hash);
  // The notes that are linked to are left as they are, whatever they name.
  expect(await text('People/Ada Lovelace.md')).toBe(NOTES['People/Ada Lovelace.md']);
  expect((await commits()).map(({ subject, author }: Loose) => `${author}: ${subject}`)[0]).toBe(
    'Grove: Link names in New.md',
  );
  const more = { path: 'New.md', action: 'replace', section: null, content: 'All new.' };
  const again = await write({ ...more, action: 'write', overwrite: true, if_hash: done.source_hash });
  expect(await text('New.md')).toBe('All new.\n');
  expect(again.source_hash).not.toBe(done.source_hash);
});

it('a note that is linked does not count as modified, and is found with its links', async () => {
  await open();
  await write({ path: 'Log.md', action: 'append', content: 'The heap.' });
  await wired();
  const { backlinks } = await vault.ok('get', { path: 'Beds/Compost.md', include: ['backlinks'] });
  expect(backlinks.map(({ path }: Loose) => path)).toContain('Log.md');
  expect((await commits())[0]).toMatchObject({ mechanical: true });
});

it('every byte but those of the names stays, and nothing in code, links, headings or properties is linked', async () => {
  await open({ ...NOTES, '園芸日記.md': '', 'Bed.md': '' });
  const before = [
    '\ufeff---\r\nsubject: compost\r\nabout: "the heap"\r\n---\r\n',
    '# About compost\r\n\r\n',
    '`compost` and [compost](https://compost.example/compost) #compost <i title="compost">\r\n',
    '```\r\ncompost\r\n```\r\n',
    '$$\r\ncompost\r\n$$\r\n%% compost %%\r\n[^compost] and [compost]\r\n\r\n',
    '{{query "the compost"}} <% compost %> kind:: compost\r\n',
    '今日は園芸日記を。\t \r\n| a | the compost |\r\n|---|---|\r\n',
    'no compost at the end',
  ];
  await vault.folder.write({ 'Old.md': before.join('') });
  await vault.opened.vault.reconcile();
  await write({ path: 'Old.md', action: 'append', content: 'End.' });
  await wired();
  const after = before
    .join('')
    .replace('園芸日記', '[[園芸日記]]')
    .replace('the compost |', 'the [[Compost\\|compost]] |');
  expect(await text('Old.md')).toBe(`${after}\r\n\r\nEnd.`);
});

it('an append that is sent again is still known, and the next one is added', async () => {
  await open();
  const append = { path: 'Log.md', action: 'append', content: 'Turned the compost.' };
  const first = await write(append);
  await wired();
  expect(await write(append)).toMatchObject({ already_there: true });
  // Whoever sends it, and whenever.
  const other = vault.opened.scope({ kind: 'key', id: 'k_other', name: 'Other' }, undefined, WRITE);
  expect(await write(append, other)).toMatchObject({ already_there: true });
  await write({ ...append, content: 'Done.', if_hash: first.source_hash });
  expect(await text('Log.md')).toBe('# Log\n\nTurned the [[Compost|compost]].\n\nDone.\n');
});

it.each<object>([{}, { section: 'H' }, { section: 'H', action: 'prepend' }])(
  'only links that were added count as their words: what was never appended is written (%o)',
  async (where) => {
    await open();
    const old =
      'Of compost.\n\n# H\n- see [spec](https://a.example/1)\n- see [[Log|plan]]\n- see [[Log|spec]]';
    const lines = ['spec', '[[Ada Lovelace|spec]]', '[spec](https://b.example/2)'];
    for (const [at] of lines.entries()) await write({ path: `${at}.md`, content: old });
    await wired();
    for (const [at, line] of lines.entries()) {
      const path = `${at}.md`;
      expect(await text(path)).toContain('Of [[Compost|compost]].');
      const content = `- see ${line}`;
      expect(await write({ path, action: 'append', ...where, content })).not.toHaveProperty(
        'already_there',
        true,
      );
      expect((await text(path)).split('\n')).toContain(content);
    }
  },
);

it('an append that is taken out can be sent again, whatever other links show the same', async () => {
  await open();
  const append = { path: 'Log.md', action: 'append', content: 'See [spec](https://a.example/1).' };
  await write(append);
  const other = 'See [spec](https://b.example/2).';
  await write({ path: 'Log.md', content: `# Log\n\n${other}\n\nDone.`, overwrite: true, if_hash: '*' });
  await write(append);
  expect(await text('Log.md')).toBe(`# Log\n\n${other}\n\nDone.\n\n${append.content}\n`);
});

it('an append that is sent again at once is known after another one', async () => {
  await open();
  const append = { path: 'Log.md', action: 'append', content: 'Turned the compost.' };
  await write(append);
  await wired();
  await write({ ...append, content: 'Done.' });
  expect(await write(append)).toMatchObject({ already_there: true });
});

it('a client that goes on with the hash of its last answer is never refused, whenever links come in between', async () => {
  await open();
  let { source_hash } = await write({ path: 'New.md', content: 'The compost.' });
  for (let at = 0; at < 10; at += 1) {
    const line = `${at}: Ada Lovelace, the heap.`;
    const more = at % 2 === 0 ? { action: 'append', content: line } : { content: line, overwrite: true };
    ({ source_hash } = await write({ path: 'New.md', ...more, if_hash: source_hash }));
  }
  await wired();
  expect(await text('New.md')).toBe('9: [[Ada Lovelace]], [[Compost|the heap]].\n');
});

it('writers at the same time lose nothing, and each note is linked once', async () => {
  await open();
  await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      write({ path: `${at % 3}.md`, action: 'append', content: `Line ${at} of compost.` }),
    ),
  );
  await wired();
  const texts = await Promise.all([0, 1, 2].map((at) => text(`${at}.md`)));
  for (const [at, whole] of texts.entries()) {
    expect(whole.match(/\[\[Compost\|compost\]\]/g)).toHaveLength(1);
    for (let line = at; line < 12; line += 3) expect(whole).toContain(`Line ${line} of `);
  }
});

it('a later operation of a batch finds the words that an earlier one wrote', async () => {
  await open();
  const { results } = await write({
    operations: [
      { path: 'New.md', content: 'Some compost here.' },
      { path: 'New.md', action: 'edit', edits: [{ find: 'Some compost', replace: 'More compost' }] },
    ],
  });
  expect(results).toHaveLength(2);
  await wired();
  expect(await text('New.md')).toBe('More [[Compost|compost]] here.\n');
});

it('links lead only where the writer sees, and from no note that a trail shows to one that it hides', async () => {
  const trails = [{ ...NO_TRAIL_RULES, allowPaths: ['Open'] }];
  await open(NOTES, { trails: () => trails });
  const rules = { ...allowAll, denyPaths: [parsePathRule('Private')] };
  const narrow = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
  const content = 'Compost and the xylophone.';
  await write({ path: 'Narrow.md', content }, narrow);
  await write({ path: 'Wide.md', content });
  await write({ path: 'Open/Shown.md', content });
  await wired();
  expect(await text('Narrow.md')).toBe('[[Compost]] and the xylophone.\n');
  expect(await text('Wide.md')).toBe('[[Compost]] and the [[Xylophone|xylophone]].\n');
  expect(await text('Open/Shown.md')).toBe(`${content}\n`);
});

it.each<[string, Files, Partial<OpenOwnedVaultOptions>]>([
  ['the vault wants suggestions', { ...NOTES, '.grove/vault.yaml': '' }, {}],
  ['the vault wants none', { ...NOTES, '.grove/vault.yaml': 'discovery: off\n' }, {}],
  ['nobody knows what trails show', NOTES, { trails: () => null }],
])('nothing is added where %s', async (_, files, options) => {
  await open(files, options);
  await write({ path: 'New.md', content: 'The compost.' });
  await wired();
  expect(await text('New.md')).toBe('The compost.\n');
});

it('templates are neither linked nor linked to', async () => {
  await open({ ...NOTES, '.obsidian/templates.json': '{"folder": "Forms"}', 'Forms/Meeting.md': '' });
  await write({ path: 'Forms/Day.md', content: 'The compost.' });
  await write({ path: 'New.md', content: 'The meeting.' });
  await wired();
  expect([await text('Forms/Day.md'), await text('New.md')]).toEqual(['The compost.\n', 'The meeting.\n']);
});

it.each<[string, Files, string]>([
  [
    'a folder of plain Markdown',
    { 'Ä b/Rain barrel.md': '' },
    '- The [Rain barrel](../Ä%20b/Rain%20barrel.md) leaks.',
  ],
  [
    'a Logseq graph',
    { 'logseq/config.edn': '{}', 'pages/Rain barrel.md': '' },
    '- The [[Rain barrel]] leaks.',
  ],
  [
    'Foam, whose definitions follow',
    { '.foam/x.json': '{}', 'Rain barrel.md': '' },
    '- The [[Rain barrel]] leaks.',
  ],
])('links are those of %s', async (_, files, line) => {
  await open({ ...files, '.grove/vault.yaml': 'discovery: wire\n' });
  await write({ path: 'In/New.md', content: '- The Rain barrel leaks.' });
  await wired();
  expect((await text('In/New.md')).split('\n')[0]).toBe(line);
});

it('queries of Logseq stay as they are', async () => {
  await open({ 'logseq/config.edn': '{}', 'pages/Peat.md': '', '.grove/vault.yaml': 'discovery: wire\n' });
  const query =
    '- #+BEGIN_QUERY\n  {:title "peat" :query [:find peat]}\n  #+END_QUERY\n- {{query (property peat)}}\n';
  await write({ path: 'pages/New.md', content: `${query}- Of peat.\n` });
  await wired();
  expect(await text('pages/New.md')).toBe(`${query}- Of [[peat]].\n`);
});

it('what was written while nothing could be linked is linked once it can be', async () => {
  await open();
  await write({ path: 'New.md', content: 'The compost.' });
  await vault.opened.writes.switch(false);
  await wired();
  const before = await text('New.md');
  await vault.opened.writes.switch(true);
  await wired();
  expect([before, await text('New.md')]).toContain('The [[Compost|compost]].\n');
});

it('what an agent wrote is undone as if no link had been added', async () => {
  await open({ ...NOTES, 'Old.md': 'Mine.\n' });
  const agent = vault.opened.scope({ kind: 'key', id: 'k_agent', name: 'Agent' }, undefined, WRITE);
  const owner = vault.opened.scope({ kind: 'owner', id: 'owner', name: 'owner' }, undefined, WRITE);
  const made = await write({ path: 'New.md', content: 'The compost.' }, agent);
  await write({ path: 'Old.md', action: 'append', content: 'The compost.' }, agent);
  const more = await write({ path: 'Log.md', action: 'append', content: 'The compost.' }, agent);
  await wired();
  // One change, by the call of its answer, and by its commit.
  await write(made.undo, agent);
  await undoChange(owner, { commit: more.commit, path: 'Log.md' });
  expect(await text('Log.md')).toBe('# Log\n');
  await write({ path: 'New.md', content: 'The compost again.' }, agent);
  await wired();
  const { structured } = await callChecked(revert, owner, { key: 'k_agent', since: '1h' });
  expect(structured.left).toEqual([]);
  expect(await text('Old.md')).toBe('Mine.\n');
  expect((await vault.fail('get', { path: 'New.md' })).code).toBe('note_not_found');
});
