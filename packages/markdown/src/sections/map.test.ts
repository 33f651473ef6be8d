import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { noteMap } from './map.ts';

describe('noteMap', () => {
  it('counts the words of each section with its subsections', () => {
    const text =
      'zero\n\n# One two\n\nthree four ^id\n\n## Five\n\n六七 [[eight]] #nine\n\n# Ten\n\n- [ ] eleven\n- [x] twelve\n';
    expect(noteMap(parseNote(text, { dialect: 'obsidian', path: 'a.md' }))).toEqual({
      headings: [
        { level: 1, text: 'One two', line: 3, words: 10, address: 'One two' },
        { level: 2, text: 'Five', line: 7, words: 5, address: 'Five' },
        { level: 1, text: 'Ten', line: 11, words: 4, address: 'Ten' },
      ],
      blocks: [{ id: 'id', line: 5 }],
      counts: { lines: 14, words: 15, links: 1, tags: 1, tasks: 2, openTasks: 1 },
    });
  });

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n', 1],
  ])('counts the lines of %j', (text, lines) => {
    expect(noteMap(parseNote(text, { dialect: 'plain', path: 'a.md' })).counts.lines).toBe(lines);
  });
});
