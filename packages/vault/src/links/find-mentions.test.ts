import { expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { parsePathRule } from '../views/path-rule.ts';

const FILES = {
  '.obsidian/app.json': '{}',
  'Compost.md': '---\naliases: [compost heap, "Humus"]\n---\n# Compost\n',
  'Ada Lovelace.md': '',
  'Ada.md': '',
  'Sam.md': '',
  'Tea.md': '---\ntitle: Green tea\n---\n',
  'A/Twice.md': '',
  'B/Twice.md': '',
  'Über Wald.md': '',
  '園芸日記.md': '',
  'Well-being.md': '',
  'Secret/Hidden garden.md': '',
};

async function found(text: string): Promise<string[]> {
  await using folder = await temporaryVault(FILES);
  const view = (await folder.open({ poll: true })).ownerView();
  return view
    .mentions(text, { start: 0, end: text.length })
    .map((mention) => `${mention.text}: ${mention.notes.map(({ path }) => path).join(' ')}`);
}

it.each<[string, string[]]>([
  [
    'Turned the COMPOST, humus and a compost  heap.',
    ['COMPOST: Compost.md', 'humus: Compost.md', 'compost  heap: Compost.md'],
  ],
  ['Ask Ada Lovelace, Ada and Sam', ['Ada Lovelace: Ada Lovelace.md']],
  ['green tea in the u\u0308ber wald', ['green tea: Tea.md', 'u\u0308ber wald: Über Wald.md']],
  ['Twice', ['Twice: A/Twice.md B/Twice.md']],
  ['composts decompost compost_x #compost a/compost compost.md x@compost compost-heap', []],
  ['A note[^compost], a [compost] and {compost}.', []],
  ['compost\nheap', ['compost: Compost.md']],
  ['今日は園芸日記を', ['園芸日記: 園芸日記.md']],
  ['My well-being.', ['well-being: Well-being.md']],
  ['', []],
])('names of notes stand in a text as whole words: %j', async (text, mentions) => {
  expect(await found(text)).toEqual(mentions);
});

it('a View finds the names of its own notes alone, as they are now', async () => {
  await using folder = await temporaryVault(FILES);
  const vault = await folder.open({ poll: true });
  const text = 'The hidden garden, the compost and the new name.';
  const narrow = vault.view({
    readPaths: [],
    writePaths: [],
    denyPaths: [parsePathRule('Secret')],
    readOnly: false,
  });
  const inRange = (view: typeof narrow) =>
    view.mentions(text, { start: 0, end: text.length }).map((mention) => mention.text);
  expect(inRange(vault.ownerView())).toEqual(['hidden garden', 'compost']);
  expect(inRange(narrow)).toEqual(['compost']);
  await folder.write('New name.md', '');
  await vault.reconcile();
  expect(inRange(narrow)).toEqual(['compost', 'new name']);
});

it('looks at no more than so many words', async () => {
  await using folder = await temporaryVault(FILES);
  const view = (await folder.open({ poll: true })).ownerView();
  const text = `${'word '.repeat(4_999)}compost compost`;
  expect(view.mentions(text, { start: 0, end: text.length })).toHaveLength(1);
});
