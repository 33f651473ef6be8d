import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';

const blocksOf = (text: string) => {
  const note = parseNote(text, { dialect: 'obsidian', path: 'a.md' });
  return note.blocks.map(({ id, block, line }) => [id, text.slice(block.start, block.end), line]);
};

describe('block ids', () => {
  it('name the paragraph that they end', () => {
    expect(blocksOf('One\nand more ^id\n\nTwo\n')).toEqual([['id', 'One\nand more ^id', 2]]);
  });

  it('may stand on the last line of their paragraph', () => {
    expect(blocksOf('One\n^id-1\n')).toEqual([['id-1', 'One\n^id-1', 2]]);
  });

  it('name a list item with all that is nested in it', () => {
    expect(blocksOf('- one ^a\n  - two ^b\n    - three\n- four ^c\n')).toEqual([
      ['a', '- one ^a\n  - two ^b\n    - three', 1],
      ['b', '- two ^b\n    - three', 2],
      ['c', '- four ^c', 4],
    ]);
  });

  it('name a loose list item by its first paragraph', () => {
    expect(blocksOf('- one ^a\n\n  more\n\n- two ^b\n')).toEqual([
      ['a', '- one ^a\n\n  more', 1],
      ['b', '- two ^b', 5],
    ]);
  });

  it('name a quote by its last line', () => {
    expect(blocksOf('> one\n> two ^q\n\nafter ^p\n')).toEqual([
      ['q', '> one\n> two ^q', 2],
      ['p', 'after ^p', 4],
    ]);
  });

  it.each([
    ['a table', '| a |\n|---|\n| b |'],
    ['a fence', '```js\nx\n```'],
    ['a list', '- one\n  - two\n- three'],
    ['a quote', '> one\n>\n> two'],
    ['a paragraph', 'One\ntwo'],
    ['HTML', '<div>\nx\n</div>'],
    ['math', '$$\nx\n$$'],
  ])('on a line of their own name %s before it', (_, block) => {
    expect(blocksOf(`start\n\n${block}\n\n^id\n\nend\n`)).toEqual([
      ['id', block, 3 + block.split('\n').length + 1],
    ]);
  });

  it('directly below a fence name the fence', () => {
    expect(blocksOf('```\nx\n```\n^id\n')).toEqual([['id', '```\nx\n```', 4]]);
  });

  it('name a heading that they end', () => {
    expect(blocksOf('# One ^h\ntext\n')).toEqual([['h', '# One ^h', 1]]);
  });

  it.each([
    'in the middle ^id of a line',
    'a line ^id\nthat goes on',
    '- item ^id\n  that goes on',
    'no space before^id',
    'under_score ^a_b',
    'x ^',
    '^first-line-of-a-note',
    'text[^1] ^[inline note]',
    '2 ^ 3',
  ])('are none: %j', (text) => {
    expect(blocksOf(text)).toEqual([]);
  });
});
