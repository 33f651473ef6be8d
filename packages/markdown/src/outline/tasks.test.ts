import { describe, expect, it } from 'vitest';
import type { Dialect } from '../model.ts';
import { parseNote } from '../parse.ts';

const tasksOf = (text: string, dialect: Dialect = 'obsidian') =>
  parseNote(text, { dialect, path: 'a.md' }).tasks;

describe('tasks', () => {
  it('have any character for a mark', () => {
    const tasks = tasksOf('- [ ] a\n- [x] b\n* [X] c\n+ [/] d\n1. [-] e\n  - [🔥] f\n> - [>] g\n');
    expect(tasks.map(({ mark, state, text, line }) => [mark, state, text, line])).toEqual([
      [' ', 'open', 'a', 1],
      ['x', 'done', 'b', 2],
      ['X', 'done', 'c', 3],
      ['/', 'in_progress', 'd', 4],
      ['-', 'cancelled', 'e', 5],
      ['🔥', 'open', 'f', 6],
      ['>', 'open', 'g', 7],
    ]);
  });

  it.each([
    '- [a](b.md)',
    '- [[Link]]',
    '- [] a',
    '- [ab] c',
    '- \\[ ] a',
    '[ ] a',
    '- TODO a',
    '- [x]y',
    '```\n- [ ] a\n```',
    '    - [ ] a',
    '%%\n- [ ] a\n%%',
    '<!--\n- [ ] a\n-->',
    '`- [ ] a`',
    '---\nlist:\n- [ ]\n---\nx',
  ])('%j holds none', (text) => expect(tasksOf(text)).toEqual([]));

  it('of Logseq start with a keyword', () => {
    const words = 'TODO DOING NOW LATER WAITING WAIT DONE CANCELED CANCELLED IN-PROGRESS'.split(' ');
    const lines = words.map((word) => `- ${word} a`).join('\n');
    const tasks = tasksOf(`${lines}\n\t- TODO b\n- TODOs c\n- todo d\n- [ ] e\n`, 'logseq');
    expect(tasks.map(({ mark, state }) => [mark, state])).toEqual([
      ['TODO', 'open'],
      ['DOING', 'in_progress'],
      ['NOW', 'in_progress'],
      ['LATER', 'open'],
      ['WAITING', 'open'],
      ['WAIT', 'open'],
      ['DONE', 'done'],
      ['CANCELED', 'cancelled'],
      ['CANCELLED', 'cancelled'],
      ['IN-PROGRESS', 'in_progress'],
      ['TODO', 'open'],
      [' ', 'open'],
    ]);
  });
});

describe('days of tasks', () => {
  it.each<[string, string | null, string | null]>([
    ['- [ ] a 📅 2026-12-01', '2026-12-01', null],
    ['- [ ] a 🗓️ 2026-12-01 ⏳2026-11-30 #x', '2026-12-01', '2026-11-30'],
    ['- [ ] a [due:: 2026-12-01] (scheduled:: 2026-11-30)', '2026-12-01', '2026-11-30'],
    ['- [x] a 📅 2026-12-01 📅 2027-01-01 ✅ 2026-11-01', '2026-12-01', null],
    ['- [ ] a 📅 2026-13-01', null, null],
    ['- [ ] a 📅 2026-02-30 ⏳ 2026-04-31', null, null],
    ['- [ ] a 📅 2028-02-29 ⏳ 2027-02-29 ⏳ 2027-03-01', '2028-02-29', '2027-03-01'],
    ['- [ ] a\n  DEADLINE: <2026-11-31 Tue>', null, null],
    ['- [ ] a 📅 2026-12-011', null, null],
    ['- [ ] a 2026-12-01', null, null],
    ['- [ ] say `📅 2026-12-01`', null, null],
    ['- [ ] a\n  📅 2026-12-01', null, null],
    ['- [ ] a\n  - b 📅 2026-12-01', null, null],
    ['- [ ] a\n  DEADLINE: <2026-12-01 Tue>', '2026-12-01', null],
  ])('%j', (text, due, scheduled) => expect(tasksOf(text)).toMatchObject([{ due, scheduled }]));

  it.each<[string, string | null, string | null]>([
    [
      '- TODO a\n  DEADLINE: <2026-12-01 Tue>\n  SCHEDULED: <2026-11-30 Mon 10:00 .+1w>',
      '2026-12-01',
      '2026-11-30',
    ],
    ['- TODO a DEADLINE: <2026-12-01>', '2026-12-01', null],
    ['- TODO a\n\t- b\n\t  DEADLINE: <2026-12-01 Tue>', null, null],
    ['- TODO a\n  ```\n  DEADLINE: <2026-12-01 Tue>\n  ```', null, null],
  ])('of Logseq: %j', (text, due, scheduled) =>
    expect(tasksOf(text, 'logseq')).toMatchObject([{ due, scheduled }]),
  );
});
