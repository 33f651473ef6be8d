import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';

const headingsOf = (text: string) => parseNote(text, { dialect: 'obsidian', path: 'a.md' }).headings;

describe('headings', () => {
  it('have level, plain text, path and line', () => {
    const text =
      '# *One*\n\n## Two `code`\n\n#### [Four](x.md) [[Note|deep]]\n\n## Three ##\n\nOther\n=====\n';
    expect(headingsOf(text).map(({ level, text: title, path, line }) => [level, title, path, line])).toEqual([
      [1, 'One', ['One'], 1],
      [2, 'Two code', ['One', 'Two code'], 3],
      [4, 'Four deep', ['One', 'Two code', 'Four deep'], 5],
      [2, 'Three', ['One', 'Three'], 7],
      [1, 'Other', ['Other'], 9],
    ]);
  });

  it('open sections that end at the next heading of the same or a higher level', () => {
    const text = '## A\na\n### B\nb\n# C\nc\n## D\nd\n';
    expect(headingsOf(text).map((heading) => text.slice(heading.start, heading.sectionEnd))).toEqual([
      '## A\na\n### B\nb\n',
      '### B\nb\n',
      '# C\nc\n## D\nd\n',
      '## D\nd\n',
    ]);
  });

  it('in quotes and list items end with them and end nothing outside', () => {
    const text = '## A\n\n> # Quoted\n> text\n\nmore\n\n- # Item\n  text\n- other\n\n## B\n';
    const sections = headingsOf(text).map((heading) => [
      heading.path.join(' / '),
      text.slice(heading.start, heading.sectionEnd),
    ]);
    expect(sections).toEqual([
      ['A', text.slice(0, text.indexOf('## B'))],
      ['A / Quoted', '# Quoted\n> text'],
      ['A / Item', '# Item\n  text'],
      ['B', '## B\n'],
    ]);
  });

  it.each([
    ['# A\n# B\n', ['A', 'B']],
    ['# A\n# a\n# *A*\n', ['A@1', 'a@2', 'A@3']],
    ['#\n', ['@1']],
    ['# ^a\n', ['^a@1']],
    ['# C#\n', ['C#']],
    ['# v@2\n', ['v@2']],
    ['# v\n# v\n# v@2\n', ['v@1', 'v@2', 'v@2@1']],
  ])('%j have the addresses %j', (text, addresses) => {
    expect(headingsOf(text).map((heading) => heading.address)).toEqual(addresses);
  });

  it.each(['#tag', '####### seven', '\\# escaped', '    # code', 'a # b'])('%j is none', (text) => {
    expect(headingsOf(text)).toEqual([]);
  });
});
