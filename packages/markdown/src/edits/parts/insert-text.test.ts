import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../model.ts';
import {
  codeOf,
  content,
  failureOf,
  headingsOf,
  isInsertion,
  longestBlankRun,
  noteText,
  orRefused,
  RUNS,
  read,
} from '../testing/random-notes.ts';
import { type Insertion, insertText } from './insert-text.ts';

const insert = (text: string, change: Partial<Insertion>, dialect: Dialect = 'obsidian') =>
  insertText(read(text, dialect), {
    at: 'append',
    section: null,
    content: 'new',
    timestamp: null,
    repeat: false,
    createSection: false,
    subsections: true,
    path: 'a.md',
    ...change,
  });
const textOf = (...call: Parameters<typeof insert>) => insert(...call).text;

describe('append to a note', () => {
  it.each([
    ['', 'new\n'],
    ['a\n', 'a\n\nnew\n'],
    ['a', 'a\n\nnew'],
    ['a\n\n\n', 'a\n\nnew\n\n\n'],
    ['a  \n', 'a  \n\nnew\n'],
    ['a\r\n', 'a\r\n\r\nnew\r\n'],
    ['\ufeff', '\ufeffnew\n'],
    ['---\na: 1\n---\n', '---\na: 1\n---\nnew\n'],
    ['---\na: 1\n---\n\n', '---\na: 1\n---\n\nnew\n'],
    ['---\na: 1\n---', '---\na: 1\n---\nnew'],
    ['| a |\n|---|\n| b |\n', '| a |\n|---|\n| b |\n\nnew\n'],
    ['```\na\n```\n', '```\na\n```\n\nnew\n'],
    ['%% a %%\n', '%% a %%\n\nnew\n'],
    ['- a\n\n  ```\n  open\n', '- a\n\n  ```\n  open\n\nnew\n'],
    ['| a |\n|---|\n\n^t\n', '| a |\n|---|\n\n^t\n\nnew\n'],
  ])('%j becomes %j', (before, after) => {
    expect(textOf(before, {})).toBe(after);
  });

  it.each([
    ['- a\n', '- new', '- a\n- new\n'],
    ['- a\n  - b\n', '- new', '- a\n  - b\n- new\n'],
    ['- a\n  - b\n', '  - new', '- a\n  - b\n  - new\n'],
    ['- a\n\n  more\n', '- new', '- a\n\n  more\n- new\n'],
    ['1. a\n2. b\n', '3. new', '1. a\n2. b\n3. new\n'],
    ['* a\n', '- new', '* a\n\n- new\n'],
    ['1. a\n', '- new', '1. a\n\n- new\n'],
    ['- a\n\nb\n', '- new', '- a\n\nb\n\n- new\n'],
    ['- a\n', '---', '- a\n\n---\n'],
    ['```\n- a\n```\n', '- new', '```\n- a\n```\n\n- new\n'],
    ['- [ ] a\n', '- [ ] new', '- [ ] a\n- [ ] new\n'],
  ])('goes on with a list: %j and %j', (before, item, after) => {
    expect(textOf(before, { content: item })).toBe(after);
  });

  it('keeps the indentation, inner blank lines and hard breaks of the content', () => {
    expect(textOf('a\n', { content: '\n\n    code\n\n\nb  \n\n' })).toBe('a\n\n    code\n\n\nb  \n');
  });

  it('writes the time in front of an entry', () => {
    expect(textOf('- 08:00 up\n', { timestamp: '09:05', content: 'tea\nwith Ann\n\nlate' })).toBe(
      '- 08:00 up\n- 09:05 tea\n  with Ann\n\n  late\n',
    );
    expect(textOf('', { timestamp: '23:59', content: '- tea' })).toBe('- 23:59 tea\n');
    expect(codeOf(() => insert('', { timestamp: '24:00' }))).toBe('bad_input');
  });

  it('adds what stands at the end already only when told to repeat it', () => {
    const once = textOf('- a\n', { content: '- b' });
    const again = insert(once, { content: '- b\n' });
    expect([again.text, again.alreadyThere]).toEqual([once, true]);
    expect(textOf(once, { content: '- b', repeat: true })).toBe('- a\n- b\n- b\n');
    // Words that end alike are no repetition.
    expect(textOf('ab\n', { content: 'b' })).toBe('ab\n\nb\n');
    expect(insert('a\r\nb\r\n', { content: 'a\nb' }).alreadyThere).toBe(true);
  });

  it.each([
    ['```js\na\n', 'code fence', 1],
    ['a\n\n~~~\n', 'code fence', 3],
    ['a\n\n%% open\n', 'comment', 3],
    ['<!-- open\n\na\n', 'block of HTML', 1],
  ])('does not write into what is not closed: %j', (text, kind, line) => {
    const { code, data } = failureOf(() => insert(text, {}));
    expect([code, data.kind, data.line]).toEqual(['unclosed_block', kind, line]);
  });

  it('may open a fence at the very end, where nothing follows', () => {
    expect(textOf('a\n', { content: '```\nb' })).toBe('a\n\n```\nb\n');
  });
});

describe('prepend to a note', () => {
  it.each([
    ['a\n', 'new\n\na\n'],
    ['\n\na\n', '\n\nnew\n\na\n'],
    ['---\na: 1\n---\n\n# T\n', '---\na: 1\n---\n\nnew\n\n# T\n'],
    ['---\na: 1\n---\n# T\n', '---\na: 1\n---\nnew\n\n# T\n'],
    ['\ufeff# T\r\n\r\na', '\ufeffnew\r\n\r\n# T\r\n\r\na'],
  ])('%j becomes %j', (before, after) => {
    expect(textOf(before, { at: 'prepend' })).toBe(after);
  });

  it('goes before a list without a blank line', () => {
    expect(textOf('- a\n', { at: 'prepend', content: '- new' })).toBe('- new\n- a\n');
    expect(textOf('* a\n', { at: 'prepend', content: '- new' })).toBe('- new\n\n* a\n');
  });

  it('adds what stands at the start already only when told to repeat it', () => {
    expect(insert('---\na: 1\n---\n\nnew\n\nb\n', { at: 'prepend' }).alreadyThere).toBe(true);
    expect(insert('newer\n', { at: 'prepend' }).text).toBe('new\n\nnewer\n');
  });

  it('may go before a rule that opens the note', () => {
    expect(textOf('---\na\n', { at: 'prepend' })).toBe('new\n\n---\na\n');
    expect(codeOf(() => insert('---\na: 1\n', { content: 'b: 2\n---\nc' }))).toBe('second_frontmatter');
  });

  it('does not become frontmatter', () => {
    for (const block of ['---\na: 1\n---\nb', '---\nhello\n---\n'])
      expect(codeOf(() => insert('x\n', { at: 'prepend', content: block }))).toBe('second_frontmatter');
  });
});

describe('a section', () => {
  it.each([
    ['# A\n\na\n\n# B\n', '# A\n\na\n\nnew\n\n# B\n'],
    ['# A\na\n# B\n', '# A\na\n\nnew\n\n# B\n'],
    ['# A\n# B\n', '# A\n\nnew\n\n# B\n'],
    ['# A\n\n# B\n', '# A\n\nnew\n\n# B\n'],
    ['# A\n\n\n\n# B\n', '# A\n\nnew\n\n# B\n'],
    ['# A', '# A\n\nnew'],
    ['# A\n', '# A\n\nnew\n'],
    ['# A\r\na\r\nB\r\n---\r\n', '# A\r\na\r\nB\r\n---\r\n\r\nnew\r\n'],
    ['# A\n\na\n\nB\n===\n', '# A\n\na\n\nnew\n\nB\n===\n'],
    ['# A\n\na\n\n## S\n\ns\n\n# B\n', '# A\n\na\n\n## S\n\ns\n\nnew\n\n# B\n'],
  ])('is appended to: %j', (before, after) => {
    expect(textOf(before, { section: 'A' })).toBe(after);
  });

  it('keeps a list close to the heading below it', () => {
    expect(textOf('# A\n- a\n# B\n', { section: 'A', content: '- b' })).toBe('# A\n- a\n- b\n# B\n');
  });

  it.each([
    ['# A\n\na\n', '# A\n\nnew\n\na\n'],
    ['# A\na\n', '# A\nnew\n\na\n'],
    ['# A\n# B\n', '# A\n\nnew\n\n# B\n'],
  ])('is prepended to: %j', (before, after) => {
    expect(textOf(before, { section: 'A', at: 'prepend' })).toBe(after);
  });

  it('ends at its first subheading when asked', () => {
    expect(textOf('# A\n\na\n\n## S\n\ns\n', { section: 'A', subsections: false })).toBe(
      '# A\n\na\n\nnew\n\n## S\n\ns\n',
    );
  });

  it('takes in no fence that swallows what follows', () => {
    const { code, data } = failureOf(() => insert('# A\n\n# B\n', { section: 'A', content: 'a\n\n```\nb' }));
    expect([code, data.line, data.where]).toEqual(['unclosed_block', 3, 'the content']);
  });

  it('is not made up when it is missing: the nearest are named', () => {
    const { code, data } = failureOf(() => insert('# Goals\n\n# Log\n', { section: 'Gaols' }));
    expect([code, (data.nearest as string[])[0]]).toEqual(['section_not_found', 'Goals']);
  });

  it('is made at the end when asked', () => {
    const made = textOf('# A\n\na\n', { section: '## Later', createSection: true, content: '- b' });
    expect(made).toBe('# A\n\na\n\n## Later\n\n- b\n');
    expect(textOf(made, { section: 'later', createSection: true, content: '- c' })).toBe(`${made}- c\n`);
    expect(textOf('', { section: 'C# basics', createSection: true })).toBe('## C# basics\n\nnew\n');
    for (const section of ['^none', 'A@7', 'A#None'])
      expect(codeOf(() => insert('# A\n', { section, createSection: true }))).toBe('section_not_found');
    expect(codeOf(() => insert('# A\n', { section: 'a\nb', createSection: true }))).toBe('bad_input');
  });

  it('in a quote or an item is left to edits', () => {
    for (const text of ['> # Q\n> a\n', '- # Q\n  a\n'])
      expect(codeOf(() => insert(text, { section: 'Q' }))).toBe('section_overrun');
  });
});

describe('a block that an id names', () => {
  it.each([
    ['a ^i\n\nb\n', 'new', 'a ^i\n\nnew\n\nb\n'],
    ['- a ^i\n  - k\n- b\n', '- new', '- a ^i\n  - k\n- new\n- b\n'],
    ['| a |\n|---|\n| 1 |\n\n^i\n\nb\n', '| 2 |', '| a |\n|---|\n| 1 |\n| 2 |\n\n^i\n\nb\n'],
    ['| a |\n|---|\n| 1 |\n\n^i\n\nb\n', 'new', '| a |\n|---|\n| 1 |\n\n^i\n\nnew\n\nb\n'],
  ])('has text after it: %j and %j', (before, text, after) => {
    expect(textOf(before, { section: '^i', content: text })).toBe(after);
    expect(insert(after, { section: '^i', content: text }).alreadyThere).toBe(
      before.startsWith('|') && text[0] === '|',
    );
  });

  it('has text before it', () => {
    expect(textOf('x\n\na ^i\n', { section: '^i', at: 'prepend' })).toBe('x\n\nnew\n\na ^i\n');
    expect(textOf('| a |\n|---|\n| 1 |\n\n^i\n', { section: '^i', at: 'prepend', content: '| 0 |' })).toBe(
      '| a |\n|---|\n| 0 |\n| 1 |\n\n^i\n',
    );
  });
});

describe('in other dialects', () => {
  it('becomes bullets with the indentation of a Logseq graph', () => {
    expect(textOf('title:: x\n', { content: 'One\nmore\n\n## Two\n\n- a\n  - b' }, 'logseq')).toBe(
      'title:: x\n\n- One\n  more\n- ## Two\n- a\n\t- b\n',
    );
    expect(textOf('- p\n  id:: 1\n  - k\n- q\n', { section: 'p', content: 'a\n\nb' }, 'logseq')).toBe(
      '- p\n  id:: 1\n  - k\n  - a\n  - b\n- q\n',
    );
    expect(textOf('- p\n  id:: 1\n- q\n', { section: 'p', at: 'prepend' }, 'logseq')).toBe(
      '- p\n  id:: 1\n\t- new\n- q\n',
    );
    expect(textOf('- a', { content: '```js\nx\n\ny\n```' }, 'logseq')).toBe(
      '- a\n- ```js\n  x\n\n  y\n  ```',
    );
    expect(textOf('- ## A\n\t- a\n', { section: 'New', createSection: true }, 'logseq')).toBe(
      '- ## A\n\t- a\n- ## New\n\t- new\n',
    );
    expect(insert('- a\n- new\n', {}, 'logseq').alreadyThere).toBe(true);
  });

  it("goes before Foam's link reference definitions", () => {
    const end = '[//begin]: # "generated"\n[a]: a "A"\n[//end]: # "generated"\n';
    expect(textOf(`See [[a]]\n\n${end}`, {}, 'foam')).toBe(`See [[a]]\n\nnew\n\n${end}`);
    expect(textOf(`# A\n\n${end}`, { section: 'A' }, 'foam')).toBe(`# A\n\nnew\n\n${end}`);
    expect(textOf('a[^1]\n\n[^1]: foot\n', {}, 'foam')).toBe('a[^1]\n\n[^1]: foot\n\nnew\n');
  });
});

describe('content', () => {
  it('with nothing in it is refused', () => {
    for (const text of ['', ' \n\t\r\n'])
      expect(codeOf(() => insert('a', { content: text }))).toBe('bad_input');
  });

  it('that UTF-8 or a note cannot hold is refused', () => {
    for (const text of ['a\0b', '\ud83c', 'x\udf32y'])
      expect(codeOf(() => insert('a', { content: text }))).toBe('bad_input');
  });

  it('with escaped line breaks is written as it came, with a remark', () => {
    const { text, remarks } = insert('a\n', { content: '- b\\n- c' });
    expect(text).toBe('a\n\n- b\\n- c\n');
    expect(remarks).toHaveLength(1);
  });

  it('with frontmatter is refused, but a rule is not', () => {
    expect(codeOf(() => insert('a\n', { content: '---\nb: 1\n---\nc' }))).toBe('second_frontmatter');
    expect(textOf('a\n', { content: '---\nb' })).toBe('a\n\n---\nb\n');
  });
});

describe('any note', () => {
  const change = fc.record({
    at: fc.constantFrom<'append' | 'prepend'>('append', 'prepend'),
    section: fc.constantFrom(null, null, 'Plan', 'Log', 'Tasks', 'C# basics', '^one', '^two'),
    content,
    subsections: fc.boolean(),
    timestamp: fc.constantFrom(null, null, '07:30'),
  });
  const dialect = fc.constantFrom<Dialect>('obsidian', 'plain', 'foam');

  it('keeps every byte, gets no longer runs of blank lines, and is the same after the same call', () => {
    let done = 0;
    fc.assert(
      fc.property(noteText, change, dialect, (text, wanted, kind) => {
        const result = orRefused(() => insert(text, wanted, kind));
        if (result === null) return;
        done += 1;
        expect(isInsertion(text, result.text)).toBe(true);
        expect(longestBlankRun(result.text)).toBeLessThanOrEqual(
          Math.max(1, longestBlankRun(text), longestBlankRun(wanted.content)),
        );
        if (text.includes('\r\n')) expect(/(?<!\r)\n/.test(result.text)).toBe(false);
        if (wanted.section?.startsWith('^') === true) return;
        const again = insert(result.text, wanted, kind);
        expect([again.text, again.alreadyThere]).toEqual([result.text, true]);
      }),
      { numRuns: RUNS },
    );
    expect(done).toBeGreaterThan(RUNS / 10);
  });

  it('keeps its headings, frontmatter and block ids', () => {
    fc.assert(
      fc.property(noteText, change, dialect, (text, wanted, kind) => {
        const result = orRefused(() => insert(text, wanted, kind));
        if (result === null) return;
        const before = read(text, kind);
        const after = read(result.text, kind);
        expect(headingsOf(after)).toEqual(headingsOf(before));
        expect(after.frontmatter.data).toEqual(before.frontmatter.data);
        expect(after.blocks.map(({ id }) => id)).toEqual(before.blocks.map(({ id }) => id));
      }),
      { numRuns: RUNS },
    );
  });

  it('of Logseq keeps every byte too', () => {
    fc.assert(
      fc.property(noteText, change, (text, wanted) => {
        const result = orRefused(() => insert(text, wanted, 'logseq'));
        if (result !== null) expect(isInsertion(text, result.text)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
