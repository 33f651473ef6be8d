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

describe('tasks', () => {
  it('have any character for a state', () => {
    const { tasks } = read('- [ ] a\n- [x] b\n* [X] c\n+ [/] d\n1. [-] e\n  - [🔥] f\n> - [ ] g\n');
    expect(tasks.map(({ state, done, text, line }) => [state, done, text, line])).toEqual([
      [' ', false, 'a', 1],
      ['x', true, 'b', 2],
      ['X', true, 'c', 3],
      ['/', false, 'd', 4],
      ['-', false, 'e', 5],
      ['🔥', false, 'f', 6],
      [' ', false, 'g', 7],
    ]);
  });

  it.each(['- [a](b.md)', '- [[Link]]', '- [] a', '- [ab] c', '- \\[ ] a', '[ ] a', '- TODO a', '- [x]y'])(
    '%j is none',
    (text) => {
      expect(read(text).tasks).toEqual([]);
    },
  );

  it('of Logseq start with a keyword', () => {
    const { tasks } = read('- TODO a\n- DONE b\n\t- LATER c\n- NOW d\n- TODOs e\n- [ ] f\n', 'logseq');
    expect(tasks.map(({ state, done, text }) => [state, done, text])).toEqual([
      ['TODO', false, 'a'],
      ['DONE', true, 'b'],
      ['LATER', false, 'c'],
      ['NOW', false, 'd'],
      [' ', false, 'f'],
    ]);
  });
});
