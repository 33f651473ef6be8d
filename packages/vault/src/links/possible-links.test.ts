import { expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { possibleLinks } from './possible-links.ts';

const DIALECTS = {
  obsidian: { '.obsidian/app.json': '{}' },
  logseq: { 'logseq/config.edn': '{}' },
  plain: {},
};

/** The text with the links that it could have. */
async function linked(text: string, dialect: keyof typeof DIALECTS = 'obsidian'): Promise<string> {
  await using folder = await temporaryVault({
    ...DIALECTS[dialect],
    'Code Word.md': '',
    'Beds/Compost.md': '',
    'x.md': text,
  });
  const view = (await folder.open({ poll: true })).ownerView();
  const row = view.notes().find(({ path }) => path === 'x.md');
  const served = row === undefined ? null : await view.read(row);
  if (row === undefined || served === null) throw new Error('no note');
  const { note } = served;
  const mentions = view.mentions(note.text, { start: 0, end: note.text.length });
  let whole = note.text;
  for (const { start, end, link } of [...possibleLinks({ view, row, note, mentions })].sort(
    (a, b) => b.start - a.start,
  ))
    whole = whole.slice(0, start) + link + whole.slice(end);
  return whole;
}

it.each([
  ['a table without outer bars', 'a | b\n--|--\ncode word | x\ny | compost\n'],
  ['the head of such a table', 'a | compost\n:-- | :--\n1 | 2\n'],
  ['a row without any bar', 'a | b\n--|--\ncompost\n'],
  ['such a table in a quote', '> a | b\n> --|--\n> code word | x\n'],
  ['the text of a link over two lines', '[text\nCompost more](https://e.example)\n'],
  ['that in a quote', '> [text\n> Compost more](https://e.example)\n'],
  ['where a link leads, over two lines', '[text](https://e.example\n"On compost")\n'],
  ['a title with several brackets', '[a](https://e.example/(x)(y) "the (old) compost (x)")\n'],
  ['a text with brackets', '[see [x] Compost](https://e.example)\n'],
  ['the label of a reference', '[pre Compost x] y\n\n[pre Compost x]: https://e.example\n'],
  ['the text of a reference with an escaped bracket', '[ref \\] Compost z][id]\n\n[id]: https://e.example\n'],
  ['a link whose text has code with a bracket', '[a `]` Compost](https://e.example)\n'],
  ['a definition, below it', '[id]: https://e.example\n"On Compost"\n'],
  ['an image over two lines', '![alt\nCompost](https://e.example/i.png)\n'],
  ['a tag of HTML over two lines', 'The <span title="a\nCompost">x</span>\n'],
  ['a link of HTML over two lines', 'The <a href="https://e.example">see\nCompost</a>\n'],
  ['what would be an embed', 'Wow!Compost\n'],
  ['what follows a bracket', '[x]Compost\n'],
  ['a block of Templater', '<%*\nCompost\n\nCode Word\n%>\n'],
])('no name becomes a link in %s', async (_, text) => {
  expect(await linked(text)).toBe(text);
  expect(await linked(text, 'plain')).toBe(
    // A link of plain Markdown has no bar.
    text.includes('--')
      ? text
          .replace(/compost/, '[compost](Beds/Compost.md)')
          .replace('code word', '[code word](Code%20Word.md)')
      : text,
  );
});

it.each([
  ['- :LOGBOOK:\n  CLOCK: Compost\n  Code Word\n  :END:\n'],
  ['- TODO x\n  CLOCK: [2026-12-01] Compost\n'],
  ['- x\n  SCHEDULED: <2026-12-01 Tue> Compost\n'],
])('none does where Logseq keeps times: %j', async (text) => {
  expect(await linked(text, 'logseq')).toBe(text);
});

it.each([
  ['| a | compost |\n|---|---|\n', '| a | [[Compost\\|compost]] |\n|---|---|\n'],
  [
    '> | a | b |\n> |---|---|\n> | x | compost |\n',
    '> | a | b |\n> |---|---|\n> | x | [[Compost\\|compost]] |\n',
  ],
  ['a | b\n--|--\nCode Word | x\n\ncompost\n', 'a | b\n--|--\n[[Code Word]] | x\n\n[[Compost|compost]]\n'],
  ['Either a | or compost.\n', 'Either a | or [[Compost|compost]].\n'],
])('names in tables become links that leave the cells as they are: %j', async (text, expected) => {
  expect(await linked(text)).toBe(expected);
});

it.each([
  [
    '- [ ] Compost\n- [x] of [that](a.md) and (Code Word)\n',
    '- [ ] [[Compost]]\n- [x] of [that](a.md) and ([[Code Word]])\n',
  ],
  ['From 0] to [1: Compost, `a[` and Code Word.\n', 'From 0] to [1: [[Compost]], `a[` and [[Code Word]].\n'],
  ['1 < 2, Compost\n\n> [!note] Code Word\n', '1 < 2, [[Compost]]\n\n> [!note] [[Code Word]]\n'],
  ['Well! Compost\n\n<% x %> Code Word\n', 'Well! [[Compost]]\n\n<% x %> [[Code Word]]\n'],
])('names beside all that become links: %j', async (text, expected) => {
  expect(await linked(text)).toBe(expected);
});
