import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import type { Files } from '../testing/vault-folder.ts';

let vault: TestVault;
afterEach(() => vault.close());

const NOTES: Files = {
  '.obsidian/app.json': '{}',
  'Beds/Compost.md': '---\naliases: [the heap]\n---\n# Compost\n',
  'Beds/Tomatoes.md': '',
  'People/Ada Lovelace.md': '',
  'Private/Xylophone.md': '',
  'Old/Tools.md': '',
  'New/Tools.md': '',
  'Log.md': '# Log\n\nSee [[Tomatoes]].\n\nHere is compost already.\n',
};

async function open(files: Files = NOTES): Promise<void> {
  vault = await openTestVault(files, { writes: true });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
const write = (input: object): Promise<any> => vault.ok('write_note', input);
const links = (answer: { suggestions?: readonly { link: string; line: number }[] }): string[] =>
  (answer.suggestions ?? []).map(({ link, line }) => `${line} ${link}`);

it('an answer suggests links to notes that the new words name and that the note does not link yet', async () => {
  await open();
  const done = await write({
    path: 'Log.md',
    action: 'append',
    content: 'Asked Ada Lovelace about compost, Tools and tomatoes.',
  });
  expect(done.suggestions).toEqual([
    { path: 'People/Ada Lovelace.md', link: '[[Ada Lovelace]]', text: 'Ada Lovelace', line: 7 },
    { path: 'Beds/Compost.md', link: '[[Compost|compost]]', text: 'compost', line: 7 },
  ]);
  const { text } = await vault.call('write_note', { path: 'Log.md', action: 'append', content: 'The heap.' });
  expect(text).toContain('Could be links: "The heap" in line 9 as [[Compost|The heap]]');
});

it('only the new words count, and words of prose', async () => {
  await open();
  const content = [
    '# About compost',
    '`compost` and [compost](https://compost.example/compost) and https://x.example/compost',
    '#compost and [[Log|compost]] and <compost@example.org>',
    '',
    '```',
    'compost',
    '```',
    '',
    '| a | compost |',
    '|---|---|',
  ].join('\n');
  expect(links(await write({ path: 'New.md', content }))).toEqual(['9 [[Compost\\|compost]]']);
  const edited = await write({
    path: 'Log.md',
    action: 'edit',
    edits: [{ find: 'already', replace: 'and Ada Lovelace' }],
  });
  expect(links(edited)).toEqual(['5 [[Ada Lovelace]]']);
  expect(await write({ path: 'Log.md', action: 'tags', add: ['compost'] })).not.toHaveProperty('suggestions');
});

it('three at most are told, the longest names first, and each that is taken up leads to its note', async () => {
  await open({ ...NOTES, 'Rain barrel.md': '', 'Greenhouse.md': '', 'A/Sub/Peat.md': '', 'Peat.md': '' });
  const content = 'Peat, compost, greenhouse, rain barrel.';
  const done = await write({ path: 'A/New.md', content });
  expect(links(done)).toEqual([
    '1 [[Rain barrel|rain barrel]]',
    '1 [[Greenhouse|greenhouse]]',
    '1 [[Compost|compost]]',
  ]);
  const edits = done.suggestions.map(({ text, link }: { text: string; link: string }) => ({
    find: text,
    replace: link,
  }));
  await write({ path: 'A/New.md', action: 'edit', edits });
  const { links: now } = await vault.ok('get', { path: 'A/New.md', include: ['links'] });
  expect(now.map((link: { to: string }) => link.to).sort()).toEqual(
    done.suggestions.map(({ path }: { path: string }) => path).sort(),
  );
});

it.each<[string, Files, string[]]>([
  [
    'a folder of plain Markdown',
    { 'Ä b/Rain (old) barrel.md': '', 'In/x.md': '' },
    ['1 [Rain (old) barrel](../Ä%20b/Rain%20%28old%29%20barrel.md)'],
  ],
  [
    'a Logseq graph',
    { 'logseq/config.edn': '{}', 'pages/Rain (old) barrel.md': 'alias:: x\n', 'In/x.md': '' },
    ['1 [[Rain (old) barrel]]'],
  ],
])('the links are those of %s', async (_, files, suggested) => {
  await open(files);
  expect(links(await write({ path: 'In/New.md', content: '- The Rain (old) barrel leaks.' }))).toEqual(
    suggested,
  );
});

it('a batch tells them with the last operation on each note', async () => {
  await open();
  const one = { path: 'Log.md', action: 'append' };
  const { results } = await write({
    operations: [
      { ...one, content: 'Ada Lovelace came.' },
      { ...one, content: 'With compost.' },
    ],
    atomic: true,
  });
  expect(results.map(links)).toEqual([[], ['7 [[Ada Lovelace]]', '9 [[Compost|compost]]']]);
});

it('nothing is told of notes that the caller does not see, and nothing to who may not read', async () => {
  await open();
  const rules = {
    readPaths: [],
    writePaths: [],
    denyPaths: [parsePathRule('Private')],
    readOnly: false,
  };
  const narrow = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
  const adding = vault.opened.scope(STDIO, undefined, { scopes: ['append'] });
  const append = (content: string) => ({ path: 'Log.md', action: 'append', content });
  const hidden = await vault.ok('write_note', append('A xylophone and compost.'), narrow);
  expect(links(hidden)).toEqual(['7 [[Compost|compost]]']);
  expect(await vault.ok('write_note', append('Compost again.'), adding)).not.toHaveProperty('suggestions');
  expect(links(await write(append('Another xylophone.')))).toEqual(['11 [[Xylophone|xylophone]]']);
});

it('no link is suggested where the vault wants none, nor where Grove would add it itself', async () => {
  for (const discovery of ['off', 'wire']) {
    await open({ ...NOTES, '.grove/vault.yaml': `discovery: ${discovery}\n` });
    const content = 'Compost again.';
    expect(await write({ path: 'Log.md', action: 'append', content, dry_run: true })).not.toHaveProperty(
      'suggestions',
    );
    if (discovery === 'off') await vault.close();
  }
});

const COMMON: Files = {
  '.obsidian/app.json': '{}',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `Days/${at < 5 ? 'Old ' : ''}${at}.md`,
      'Nothing today, but compost. [[Compost]]\n',
    ]),
  ),
  'Today.md': '',
  'Compost.md': '',
};

it('a name that many notes hold without meaning the note is not suggested, as far as a View can tell', async () => {
  await open(COMMON);
  const content = 'Today: compost.';
  expect(links(await write({ path: 'New.md', content }))).toEqual(['1 [[Compost|compost]]']);
  const rules = { ...allowAll, denyPaths: [parsePathRule('Days/Old *.md')] };
  const narrow = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
  const seen = await vault.ok('write_note', { path: 'Newer.md', content }, narrow);
  await vault.close();
  const isSeen = ([path]: [string, unknown]) => !path.startsWith('Days/Old');
  await open(Object.fromEntries(Object.entries({ ...COMMON, 'New.md': content }).filter(isSeen)));
  const alone = await write({ path: 'Newer.md', content });
  expect(seen.suggestions).toEqual(alone.suggestions);
  expect(links(seen)).toEqual(['1 [[Compost|compost]]', '1 [[Today]]']);
});
