import { isGroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteText, RUNS, read } from '../testing/random-notes.ts';
import { editText, type TextChange } from './edit-text.ts';
import { Patience } from './patience.ts';
import type { TextEdit } from './text-edit.ts';

type Edit = Partial<TextEdit> & { readonly find: string };

const PLAIN: TextEdit = {
  find: '',
  replace: '',
  scope: 'body',
  all: false,
  regex: false,
  case: true,
  wholeWord: false,
  flexibleWhitespace: false,
};
const edit = (text: string, edits: Edit | readonly Edit[], change: Partial<TextChange> = {}) =>
  editText(read(text), {
    edits: [edits].flat().map((one) => ({ ...PLAIN, ...one })),
    section: null,
    path: 'a.md',
    ...change,
  });
const textOf = async (...call: Parameters<typeof edit>) => (await edit(...call)).text;
const failureOf = async (...call: Parameters<typeof edit>) => {
  const error = await edit(...call).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (isGroveError(error)) return error;
  throw error ?? new Error('nothing was refused');
};

describe('literal text', () => {
  it('is found once and replaced, whatever it looks like', async () => {
    expect(await textOf('a (b).* c\n', { find: '(b).*', replace: '$1\\n$&' })).toBe('a $1\\n$& c\n');
    expect(await textOf('x 🌲 y\n', { find: '🌲', replace: '🌳' })).toBe('x 🌳 y\n');
    expect(await edit('a\n', { find: 'a', replace: 'a' })).toMatchObject({
      alreadyThere: true,
      matches: [1],
    });
  });

  it('that is there more than once needs all', async () => {
    const text = '# T\n\none two\n\ntwo\n';
    expect(await failureOf(text, { find: 'two' })).toMatchObject({
      code: 'edit_ambiguous',
      data: { count: 2, lines: [3, 5] },
    });
    expect(await edit(text, { find: 'two', replace: '2', all: true })).toMatchObject({
      text: '# T\n\none 2\n\n2\n',
      matches: [2],
    });
    // Matches do not overlap.
    expect(await edit('aaa\n', { find: 'aa', replace: 'b', all: true })).toMatchObject({
      text: 'ba\n',
      matches: [1],
    });
  });

  it('that is missing shows the lines nearest to it', async () => {
    const { code, data } = await failureOf('---\na: 1\n---\nThe quick fox\nA slow dog\n', {
      find: 'The quik fox',
    });
    expect([code, data.nearest]).toEqual(['edit_no_match', [{ line: 4, text: 'The quick fox' }]]);
  });

  it('that stands in the other scope says so', async () => {
    const { data, hint } = await failureOf('---\ntitle: Old\n---\nx\n', { find: 'title: Old' });
    expect(data.elsewhere).toBe('frontmatter');
    expect(hint).toContain('scope: "frontmatter"');
    expect(
      (await failureOf('---\na: 1\n---\nbody\n', { find: 'body', scope: 'frontmatter' })).data.elsewhere,
    ).toBe('body');
  });

  it('whose replacement stands there already says so', async () => {
    expect((await failureOf('new words\n', { find: 'old words', replace: 'new words' })).hint).toContain(
      'already',
    );
  });

  it.each([
    ['a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc\r\n'],
    ['a\nb\nc\n', 'a\r\nb', 'x\r\ny', 'x\ny\nc\n'],
    ['a\r\nb\nc\r\nd\r\n', 'a\nb\nc', 'a\nb\nC\nn', 'a\r\nb\nC\r\nn\r\nd\r\n'],
    ['a\r\nb\r\n', '\n', ' ', 'a b\r\n'],
  ])('matches over line breaks of any kind: %j', async (text, find, replace, after) => {
    const edits = find === '\n' ? { find: 'a\nb', replace: `a${replace}b` } : { find, replace };
    expect(await textOf(text, edits)).toBe(after);
  });

  it('can ignore case, white space and parts of words', async () => {
    expect(await textOf('CAFÉ Straße\n', { find: 'café', replace: 'x', case: false })).toBe('x Straße\n');
    expect(await textOf('a  b\n\tc\n', { find: 'a b c', replace: 'x', flexibleWhitespace: true })).toBe(
      'x\n',
    );
    expect(
      await textOf('Überfluss über\n', { find: 'über', replace: 'x', wholeWord: true, case: false }),
    ).toBe('Überfluss x\n');
    expect(await textOf('C C++ C++11\n', { find: 'C++', replace: 'x', wholeWord: true, all: true })).toBe(
      'C x x11\n',
    );
    expect(await textOf('naïve naïveté\n', { find: 'naïve', replace: 'x', wholeWord: true })).toBe(
      'x naïveté\n',
    );
    expect(await textOf('a.b axb\n', { find: 'A.B', replace: '$1', case: false })).toBe('$1 axb\n');
  });
});

describe('a regular expression', () => {
  it('fills in what it caught', async () => {
    expect(
      await textOf('a1 b22\n', { find: '([a-z])(?<n>\\d+)', replace: '$<n>$1$$', regex: true, all: true }),
    ).toBe('1a$ 22b$\n');
    expect(await textOf('a\r\nb\r\n', { find: '(a)\\n(b)', replace: '$2\n$1', regex: true })).toBe(
      'b\r\na\r\n',
    );
    expect(await textOf('a\r\nb\nc\r\n', { find: '^(.)$', replace: '<$1>', regex: true, all: true })).toBe(
      '<a>\r\n<b>\n<c>\r\n',
    );
  });

  it('matches at lines, and not after the last one', async () => {
    expect(await textOf('a\nb\n', { find: '^', replace: '> ', regex: true, all: true })).toBe('> a\n> b\n');
    expect(await textOf('a\nb\n', { find: '$', replace: '.', regex: true, all: true })).toBe('a.\nb.\n');
  });

  it('that is wrong is refused with the reason', async () => {
    const error = await failureOf('a\n', { find: '(', regex: true });
    expect([error.code, error.data.reason]).toEqual(['bad_regex', expect.stringContaining('unclosed group')]);
    expect((await failureOf('a\n', { find: '(?=a)', regex: true })).code).toBe('bad_regex');
  });

  it('that would never end elsewhere ends', async () => {
    const text = `${'a'.repeat(50_000)}\n`;
    expect((await failureOf(text, { find: '^(a+)+b$', regex: true })).code).toBe('edit_no_match');
    expect((await failureOf(text, { find: '(a|a)*(a|aa)*c', regex: true })).code).toBe('edit_no_match');
  });

  it('may not make a note of any size', async () => {
    const text = 'a'.repeat(100_000);
    const replace = '$&'.repeat(50_000);
    expect((await failureOf(text, { find: '.*', replace, regex: true, all: true })).code).toBe('bad_input');
    expect((await failureOf(text, { find: 'a', replace: 'b'.repeat(1000), all: true })).code).toBe(
      'bad_input',
    );
  });
});

describe('several edits', () => {
  it('apply to the result of the one before', async () => {
    const result = await edit('a\n', [
      { find: 'a', replace: 'b' },
      { find: 'b', replace: 'c c' },
      { find: 'c', replace: 'd', all: true },
    ]);
    expect([result.text, result.matches]).toEqual(['d d\n', [1, 1, 2]]);
  });

  it('are all applied or none, and the one that fails is named', async () => {
    const { code, data } = await failureOf('a\n', [{ find: 'a', replace: 'b' }, { find: 'a' }]);
    expect([code, data.edit]).toEqual(['edit_no_match', 1]);
  });

  it('follow text that moves', async () => {
    const text = '---\na: 1\n---\n# A\nx\n# B\nx\n';
    expect(
      await textOf(text, [
        { find: 'a: 1', replace: 'a: 1\nlonger: yes', scope: 'frontmatter' },
        { find: '# A\nx', replace: '# A\ny' },
      ]),
    ).toBe('---\na: 1\nlonger: yes\n---\n# A\ny\n# B\nx\n');
    expect(
      await textOf(
        text,
        [
          { find: 'x', replace: 'yy' },
          { find: 'yy', replace: 'z' },
        ],
        { section: 'B' },
      ),
    ).toBe('---\na: 1\n---\n# A\nx\n# B\nz\n');
  });
});

describe('scope', () => {
  it('leaves frontmatter alone unless it is named, and the body when it is', async () => {
    const text = '---\na: "x: y"\n---\na: "x: y"\n';
    expect(await textOf(text, { find: 'x', replace: 'z' })).toBe('---\na: "x: y"\n---\na: "z: y"\n');
    expect(await textOf(text, { find: 'x', replace: 'z', scope: 'frontmatter' })).toBe(
      '---\na: "z: y"\n---\na: "x: y"\n',
    );
    expect(await textOf(text, { find: 'x', replace: 'z', scope: 'note', all: true })).toBe(
      '---\na: "z: y"\n---\na: "z: y"\n',
    );
  });

  it('of a section is the section, and nothing of another', async () => {
    expect((await failureOf('# A\nx\n# B\ny\n', { find: 'x' }, { section: 'B' })).data.scope).toBe('section');
    expect((await failureOf('# A\n', { find: 'x', scope: 'frontmatter' }, { section: 'A' })).code).toBe(
      'bad_input',
    );
    expect((await failureOf('# A\n', { find: 'x' }, { section: 'C' })).code).toBe('section_not_found');
  });

  it('of the body makes no frontmatter, that of the frontmatter does not leave it', async () => {
    expect((await failureOf('x\n---\n', { find: 'x\n---', replace: '---\na: 1\n---' })).code).toBe(
      'second_frontmatter',
    );
    expect(
      (await failureOf('---\na: 1\n---\nx\n', { find: 'a: 1', replace: '---', scope: 'frontmatter' })).code,
    ).toBe('would_break_frontmatter');
    expect(
      (await failureOf('---\na: 1\n---\nx\n', { find: '1', replace: '[', scope: 'frontmatter' })).code,
    ).toBe('would_break_frontmatter');
    expect(
      (await failureOf('---\na: 1\n---\nx\n', { find: '---\nx', replace: 'x', scope: 'note' })).code,
    ).toBe('would_break_frontmatter');
  });

  it('mends frontmatter that is broken or not closed', async () => {
    expect(await textOf('---\na: [\n---\nx\n', { find: '[', replace: '[]', scope: 'frontmatter' })).toBe(
      '---\na: []\n---\nx\n',
    );
    expect(await textOf('---\na: 1\nx\n', { find: 'a: 1\n', replace: 'a: 1\n---\n', scope: 'note' })).toBe(
      '---\na: 1\n---\nx\n',
    );
  });
});

describe('input', () => {
  it.each([
    [{ find: '' }],
    [{ find: 'a\0' }],
    [{ find: 'a', replace: '\ud83c' }],
    [[]],
    [Array.from({ length: 201 }, () => ({ find: 'a' }))],
  ])('%# that cannot be meant is refused', async (edits) => {
    expect((await failureOf('a\n', edits)).code).toBe('bad_input');
  });
});

describe('any note', () => {
  it('keeps every byte that an edit does not name', async () => {
    await fc.assert(
      fc.asyncProperty(
        noteText,
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        fc.string({ maxLength: 5 }),
        async (text, from, length, replace) => {
          const note = read(text);
          const body = text.slice(note.bodyStart);
          const start = from % (body.length + 1);
          const find = body.slice(start, start + length).toWellFormed();
          if (
            find === '' ||
            !body.includes(find) ||
            find.startsWith('\n') ||
            find.endsWith('\r') ||
            replace.includes('\0')
          )
            return;
          const first = body.indexOf(find);
          const only = body.indexOf(find, first + 1) < 0;
          const result = await edit(text, { find, replace }).catch((error: unknown) => {
            if (!isGroveError(error)) throw error;
            if (only) expect(['second_frontmatter']).toContain(error.code);
            return null;
          });
          if (result === null) return;
          const head = text.slice(0, note.bodyStart + first);
          const tail = body.slice(first + find.length);
          expect(result.text.startsWith(head)).toBe(true);
          expect(result.text.endsWith(tail)).toBe(true);
          expect(result.text.length).toBeGreaterThanOrEqual(head.length + tail.length);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('the time that patterns of one call share', () => {
  it('refuses further patterns once it is used up, and never edits that need no engine', async () => {
    const patience = new Patience(0);
    const refused = edit('one two\n', { find: 't.o', replace: '2', regex: true }, { patience });
    await expect(refused).rejects.toMatchObject({
      code: 'bad_regex',
      data: { reason: 'the expressions of this call take too long together' },
    });
    const literal = await edit('one two\n', { find: 'two', replace: '2' }, { patience });
    expect(literal.text).toBe('one 2\n');
  });

  it('goes down with each search', async () => {
    const patience = new Patience(Number.MIN_VALUE);
    const twice = [1, 2].map(() => ({ find: '[o]', replace: 'o', regex: true, all: true }));
    await expect(edit('one two\n', twice, { patience })).rejects.toMatchObject({ code: 'bad_regex' });
  });
});
