import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';

const tagsOf = (text: string): string[] =>
  parseNote(text, { dialect: 'obsidian', path: 'a.md' }).tags.map((tag) => tag.name);

describe('inline tags', () => {
  it.each([
    ['#tag', ['tag']],
    ['a #tag b', ['tag']],
    ['#a/b/c', ['a/b/c']],
    ['#a/', ['a']],
    ['#a-b_c', ['a-b_c']],
    ['#2026-goal #2026', ['2026-goal']],
    ['#1 #22/3', []],
    ['#Ünïcode #тег #标签 #タグ #태그 #วันนี้', ['Ünïcode', 'тег', '标签', 'タグ', '태그', 'วันนี้']],
    ['#🌲 #tree🌲/old #👩‍💻 #🇩🇪', ['🌲', 'tree🌲/old', '👩‍💻', '🇩🇪']],
    ['(#a) [#b] "#c" **#d** _#e_ ~~#f~~', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['#a, #b. #c; #d: #e! #f?', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['今天，#工作。#家', ['工作', '家']],
    ['#a#b', ['a']],
    ['a#b', []],
    ['## #', []],
    ['\\#a', []],
    ['&#35;a &#x23;', []],
    ['https://example.org/#a https://example.org/?b=1,#c', []],
    ['<https://example.org/ #a>', ['a']],
    ['[text #a](Note.md#b) ![alt #c](x.png)', []],
    ['[[Note#a]] [[Note|#b]]', []],
    ['> #quoted\n\n- #item\n\n| #cell |\n|---|\n| x #y |', ['quoted', 'item', 'cell', 'y']],
    ['# Heading #a\n\nSetext #b\n---\n', ['a', 'b']],
    ['#heading-without-space', ['heading-without-space']],
    ['color:#fff; a.#b', []],
  ])('%j gives %j', (text, names) => {
    expect(tagsOf(text)).toEqual(names);
  });

  it('of every form are alike', () => {
    const forms = [
      '---\ntags: a/b\n---\n',
      '---\ntags: [a/b]\n---\n',
      '---\ntags:\n  - "#a/b"\n---\n',
      '---\ntags: "#a/b, "\n---\n',
      '---\ntag: a/b\n---\n',
      'text #a/b text\n',
      '- item (#a/b)\n',
    ];
    expect(forms.map(tagsOf)).toEqual(forms.map(() => ['a/b']));
  });

  it('keep their case and stand in the order of the text, frontmatter first', () => {
    const note = parseNote('---\ntags: [Z]\n---\n#B\n\n#a\n', { dialect: 'obsidian', path: 'a.md' });
    expect(note.tags.map(({ name, source, line }) => [name, source, line])).toEqual([
      ['Z', 'frontmatter', 2],
      ['B', 'inline', 4],
      ['a', 'inline', 6],
    ]);
  });
});
