import { describe, expect, it } from 'vitest';
import type { Dialect } from '../model.ts';
import { parseNote } from '../parse.ts';

const read = (text: string, dialect: Dialect = 'obsidian') => parseNote(text, { dialect, path: 'a.md' });

describe('list items', () => {
  it('have a depth, their own text and their tree', () => {
    const text = '- one\n  more\n  - two\n    1. three\n- four\n';
    const items = read(text).listItems;
    expect(items.map(({ depth, line }) => [depth, line])).toEqual([
      [0, 1],
      [1, 3],
      [2, 4],
      [0, 5],
    ]);
    expect(items.map((item) => text.slice(item.start, item.end))).toEqual([
      '- one\n  more',
      '- two',
      '1. three',
      '- four',
    ]);
    expect(items.map((item) => text.slice(item.start, item.treeEnd))).toEqual([
      '- one\n  more\n  - two\n    1. three',
      '- two\n    1. three',
      '1. three',
      '- four',
    ]);
  });

  it('start at their marker where tabs indent them', () => {
    const text = '- one\n\t- two\n\t\t- three\n\t\t\t- four\n';
    const { listItems } = read(text);
    expect(listItems.map((item) => [item.depth, item.line, text.slice(item.start, item.end)])).toEqual([
      [0, 1, '- one'],
      [1, 2, '- two'],
      [2, 3, '- three'],
      [3, 4, '- four'],
    ]);
  });
});
