import { describe, expect, it } from 'vitest';
import type { Dialect, Link } from '../model.ts';
import { parseNote } from '../parse.ts';

const linksOf = (text: string, dialect: Dialect = 'obsidian'): readonly Link[] =>
  parseNote(text, { dialect, path: 'a.md' }).links;

describe('wikilinks', () => {
  it.each([
    ['[[Note]]', 'wikilink', 'Note', null, null, null],
    ['[[ Note ]]', 'wikilink', 'Note', null, null, null],
    ['[[Folder/Note.md]]', 'wikilink', 'Folder/Note.md', null, null, null],
    ['[[Note|the label]]', 'wikilink', 'Note', null, null, 'the label'],
    ['[[Note|a|b]]', 'wikilink', 'Note', null, null, 'a|b'],
    ['[[Note|]]', 'wikilink', 'Note', null, null, null],
    ['[[Note#Head]]', 'wikilink', 'Note', 'Head', null, null],
    ['[[Note#Head#Sub|x]]', 'wikilink', 'Note', 'Head#Sub', null, 'x'],
    ['[[Note#^id]]', 'wikilink', 'Note', null, 'id', null],
    ['[[Note#Head#^id]]', 'wikilink', 'Note', null, 'id', null],
    ['[[#Head]]', 'wikilink', '', 'Head', null, null],
    ['[[#^id]]', 'wikilink', '', null, 'id', null],
    ['[[Über uns & Ärger]]', 'wikilink', 'Über uns & Ärger', null, null, null],
    ['[[100% sure]]', 'wikilink', '100% sure', null, null, null],
    ['![[Note]]', 'embed', 'Note', null, null, null],
    ['![[pic.png|300x200]]', 'embed', 'pic.png', null, null, '300x200'],
    ['**[[Note]]**', 'wikilink', 'Note', null, null, null],
    ['text![[Note#Head]]', 'embed', 'Note', 'Head', null, null],
  ])('%s', (text, kind, target, heading, block, label) => {
    const links = linksOf(text);
    expect(links.map((link) => [link.kind, link.target, link.heading, link.block, link.label])).toEqual([
      [kind, target, heading, block, label],
    ]);
    expect(text.slice(links[0]!.start, links[0]!.end)).toMatch(/^!?\[\[.*\]\]$/);
  });

  it('are read inside tables with the escaped pipe', () => {
    const links = linksOf('| a |\n|---|\n| [[Note\\|label]] and [[Other\\|b]] |\n');
    expect(links.map((link) => [link.target, link.label])).toEqual([
      ['Note', 'label'],
      ['Other', 'b'],
    ]);
  });

  it.each(['[[]]', '[[|x]]', '[[#]]', '[[a\nb]]', '[[a] ]', '\\[[a]]', '[ [a]]'])('%j is none', (text) => {
    expect(linksOf(text)).toEqual([]);
  });

  it('stand in quotes, lists, headings, footnotes, emphasis', () => {
    const text = '# [[A]]\n\n> [[B]]\n\n- x\n  - [[C]]\n\n*see [[D]]*\n\ntext[^1]\n\n[^1]: [[E]]\n';
    expect(linksOf(text).map((link) => link.target)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });
});

describe('Markdown links', () => {
  it.each([
    ['[t](Note.md)', 'markdown', 'Note.md', null, null, 't'],
    ['[t](../My%20Note.md)', 'markdown', '../My Note.md', null, null, 't'],
    ['[t](<My Note.md>)', 'markdown', 'My Note.md', null, null, 't'],
    ['[t](Note.md "Title")', 'markdown', 'Note.md', null, null, 't'],
    ['[t](Note.md#My%20Head)', 'markdown', 'Note.md', 'My Head', null, 't'],
    ['[t](Note#^id)', 'markdown', 'Note', null, 'id', 't'],
    ['[t](#Head)', 'markdown', '', 'Head', null, 't'],
    ['[t](/docs/Note.md)', 'markdown', '/docs/Note.md', null, null, 't'],
    ['[t](C%23.md)', 'markdown', 'C#.md', null, null, 't'],
    ['[t](a\\(b\\).md)', 'markdown', 'a(b).md', null, null, 't'],
    ['[t](a&amp;b.md)', 'markdown', 'a&b.md', null, null, 't'],
    ['[t](100%.md)', 'markdown', '100%.md', null, null, 't'],
    ['[**bold** `code`](Note.md)', 'markdown', 'Note.md', null, null, 'bold code'],
    ['[](Note.md)', 'markdown', 'Note.md', null, null, null],
    ['![alt](pic.png)', 'image', 'pic.png', null, null, 'alt'],
    ['![alt](../a/pic%201.png "t")', 'image', '../a/pic 1.png', null, null, 'alt'],
  ])('%s', (text, kind, target, heading, block, label) => {
    expect(
      linksOf(text).map((link) => [link.kind, link.target, link.heading, link.block, link.label]),
    ).toEqual([[kind, target, heading, block, label]]);
  });

  it.each([
    '[t](https://example.org/Note.md)',
    '[t](mailto:a@example.org)',
    '[t](obsidian://open?vault=v)',
    '[t](//example.org/Note.md)',
    '[t](C:/notes/Note.md)',
    '[t]()',
    '[t](#)',
    '<https://example.org>',
    '<a@example.org>',
    'https://example.org',
    '[t] (Note.md)',
    '\\[t](Note.md)',
    '![alt](https://example.org/x.png)',
  ])('%j leads out of the vault or is none', (text) => {
    expect(linksOf(text)).toEqual([]);
  });

  it('by reference are links, and so are the definitions', () => {
    const text =
      '[one][a], [a], [b][], ![pic][p]\n\n[a]: One.md#Part "T"\n[b]: <Two words.md>\n[p]: p.png\n[x]: https://x.org\n';
    expect(
      linksOf(text).map((link) => [link.kind, link.target, link.heading, link.label, link.line]),
    ).toEqual([
      ['markdown', 'One.md', 'Part', 'one', 1],
      ['markdown', 'One.md', 'Part', 'a', 1],
      ['markdown', 'Two words.md', null, 'b', 1],
      ['image', 'p.png', null, 'pic', 1],
      ['definition', 'One.md', 'Part', 'a', 3],
      ['definition', 'Two words.md', null, 'b', 4],
      ['definition', 'p.png', null, 'p', 5],
    ]);
  });

  it('around an image count, inside its description they do not', () => {
    const pairs = (text: string) => linksOf(text).map((link) => [link.kind, link.target]);
    expect(pairs('[![a](pic.png)](Note.md)')).toEqual([
      ['markdown', 'Note.md'],
      ['image', 'pic.png'],
    ]);
    expect(pairs('![a [x](In.md)](pic.png)')).toEqual([['image', 'pic.png']]);
  });

  it("reads Foam's definitions beside its wikilinks", () => {
    const links = linksOf(
      '[[todo-list|my list]] [[inbox]]\n\n[todo-list|my list]: lists/todo.md "To do"\n[inbox]: inbox.md "Inbox"\n',
      'foam',
    );
    expect(links.map((link) => [link.kind, link.target, link.label])).toEqual([
      ['wikilink', 'todo-list', 'my list'],
      ['wikilink', 'inbox', null],
      ['definition', 'lists/todo.md', 'todo-list|my list'],
      ['definition', 'inbox.md', 'inbox'],
    ]);
  });
});
