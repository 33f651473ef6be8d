import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../model.ts';
import { codeOf, failureOf, noteText, RUNS, read } from '../testing/random-notes.ts';
import { editFrontmatter } from './edit-frontmatter.ts';

const edit = (
  text: string,
  set: Record<string, unknown>,
  unset: readonly string[] = [],
  dialect: Dialect = 'obsidian',
) => editFrontmatter(read(text, dialect), { set, unset, path: 'a.md' });
const yamlOf = (yaml: string, set: Record<string, unknown>, unset: readonly string[] = []) => {
  const { text } = edit(`---\n${yaml}---\nBody: yes\n`, set, unset);
  expect(text.endsWith('---\nBody: yes\n')).toBe(true);
  return text.slice(4, -'---\nBody: yes\n'.length);
};

describe('a key that is set', () => {
  it.each([
    ['a: 1 # one\nb: 2\n', { a: 3 }, 'a: 3 # one\nb: 2\n'],
    ['a:   1\n', { a: 'x' }, 'a:   x\n'],
    ['a: "x"\n', { a: 'y' }, 'a: "y"\n'],
    ["a: 'x'\n", { a: "it's" }, "a: 'it''s'\n"],
    ['a: |\n  x\n# about b\nb: 1\n', { a: 'y\nz\n' }, 'a: |\n  y\n  z\n# about b\nb: 1\n'],
    ['a: |+\n  x\n\n\nb: 1\n', { a: 'y' }, 'a: |-\n  y\n\n\nb: 1\n'],
    ['a:\nb: 1\n', { a: 'y' }, 'a: y\nb: 1\n'],
    ['a:   # hm\n', { a: 'y' }, 'a: y   # hm\n'],
    ['a: # hm\n  - x\n  # in\nb: 1\n', { a: ['y'] }, 'a: # hm\n  - y\nb: 1\n'],
    ['a:\n- x\nb: 1\n', { a: ['v', 'w'] }, 'a:\n- v\n- w\nb: 1\n'],
    ['a: [x, z] # hm\n', { a: ['v', 1] }, 'a: [v, 1] # hm\n'],
    ['a: {x: 1}\n', { a: { v: [true] } }, 'a: {v: [true]}\n'],
    ['a: 1 # hm\n', { a: ['x'] }, 'a: # hm\n  - x\n'],
    ['a: 1 # hm\n', { a: 'x\ny' }, 'a: "x\\ny" # hm\n'],
    ['a: 1\n', { a: null }, 'a:\n'],
    ['a: !!str 1\n', { a: 2 }, 'a: 2\n'],
    ['a: &x 1\nb: 2\n', { a: 2 }, 'a: 2\nb: 2\n'],
    ['a: &x 1\nb: *x\n', { b: 2 }, 'a: &x 1\nb: 2\n'],
    ['a: one\n  two\nb: 1\n', { a: 'x' }, 'a: x\nb: 1\n'],
    ['? a\n: 1\nb: 2\n', { a: 2 }, '? a\n: 2\nb: 2\n'],
    ['"a b": 1\n', { 'a b': 2 }, '"a b": 2\n'],
    ['  a: 1\n  b: 2\n', { a: [1], c: { d: 1 } }, '  a:\n    - 1\n  b: 2\n  c:\n    d: 1\n'],
    ['{a: 1, b: 2} # all\n', { a: 'x', c: [1] }, '{a: x, b: 2, c: [1]} # all\n'],
    ['# nothing yet\n', { a: 1 }, '# nothing yet\na: 1\n'],
    ['', { a: 1 }, 'a: 1\n'],
    ['a: 1\n# end\n', { b: 2 }, 'a: 1\n# end\nb: 2\n'],
    ['due: 2026-11-30\nnumber: 007\n', { due: '2027-01-01' }, 'due: 2027-01-01\nnumber: 007\n'],
  ])('%j with %j becomes %j', (before, set, after) => {
    expect(yamlOf(before, set)).toBe(after);
  });

  it('keeps its bytes where it has the value already', () => {
    const before = 'a:   "x"   # hm\nb: [ 1,2 ]\nc: {y: 1}\n';
    const result = edit(`---\n${before}---\n`, { a: 'x', b: [1, 2], c: { y: 1 } });
    expect([result.text, result.alreadyThere]).toEqual([`---\n${before}---\n`, true]);
  });

  it.each([
    '2026-11-30',
    '12:30',
    '1',
    '1.5',
    '0x1f',
    '1_000',
    'true',
    'Yes',
    'no',
    'null',
    '~',
    '',
    ' x',
    'x ',
    '#x',
    'a # b',
    'a: b',
    '- x',
    '[[Note]]',
    '![[x]]',
    '[a',
    '{a',
    '*x',
    '&x',
    '!x',
    '%x',
    '@x',
    '`x`',
    "'",
    '"',
    'a\nb',
    'a\n',
    '\n\na\n b\n',
    '  a\n b',
    'tab\there',
    'a\r\nb',
    '🌲',
    '\u200d',
    '\u2028x',
    '\u0085',
    '\ufeff',
    '---',
    '...',
    '?',
    '? a',
    ':',
    '<<',
    '=',
    '|',
    '>',
    'x:',
    '#',
    ',',
    'a, b',
    '\u0007',
  ])('reads back as the text %j, alone, in lists and in lines', (text) => {
    const set = {
      a: text,
      b: [text, [text]],
      c: { [`k${text.trim()}`.slice(0, 3)]: text },
      d: `${text}\n${text}`,
    };
    for (const before of [
      '---\nz: 1\n---\n',
      '---\r\nz: 1\r\n---\r\n',
      'x',
      '---\na: |\n  q\nb: [q]\nc: {q: 1}\nd: "q"\n---\n',
    ])
      expect(read(edit(before, set).text).frontmatter.data).toMatchObject(set);
  });

  it('may not be unclear: what JSON, a line or UTF-8 cannot hold is refused', () => {
    for (const value of [
      undefined,
      Number.NaN,
      1n,
      () => 1,
      'a\0',
      '\ud83c',
      ['\udf32'],
      { '\ud83c': 1 },
      { a: undefined },
    ])
      expect(codeOf(() => edit('x', { a: value }))).toBe('bad_input');
    for (const key of ['', 'a\0']) expect(codeOf(() => edit('x', { [key]: 1 }))).toBe('bad_input');
    let deep: unknown = 1;
    for (let level = 0; level < 100; level += 1) deep = [deep];
    expect(codeOf(() => edit('x', { a: deep }))).toBe('bad_input');
    expect(codeOf(() => edit('x', { a: 1 }, ['a']))).toBe('bad_input');
  });

  it('takes the place of what a merge key brings, which stays as it is', () => {
    const yaml = 'd: &d {private: true, up: x}\n<<: *d # all\n';
    expect(yamlOf(yaml, { up: 'x' })).toBe(yaml);
    expect(yamlOf(yaml, { up: 'y' })).toBe(`${yaml}up: y\n`);
    expect(codeOf(() => yamlOf(yaml, {}, ['private']))).toBe('frontmatter_entangled');
    expect(codeOf(() => yamlOf(yaml, { d: 1 }))).toBe('frontmatter_entangled');
  });

  it('is no merge key when it is called like one', () => {
    expect(yamlOf('a: 1\n', { '<<': { b: 1 }, c: [{ '<<': { d: 2 } }] })).toBe(
      'a: 1\n"<<":\n  b: 1\nc:\n  - "<<":\n      d: 2\n',
    );
  });

  it('may be called like a part of the language', () => {
    const set = JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, unknown>;
    const { data } = read(edit('---\na: 1\n---\n', set).text).frontmatter;
    expect(Object.entries(data)).toEqual([
      ['a', 1],
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });

  it('that differs in case from another is added, with a remark', () => {
    const { text, remarks } = edit('---\nTags: [a]\n---\n', { tags: ['b'] });
    expect(text).toBe('---\nTags: [a]\ntags:\n  - b\n---\n');
    expect(remarks).toHaveLength(1);
  });
});

describe('a key that is taken away', () => {
  it.each([
    ['a: 1 # one\nb: 2\n', ['a'], 'b: 2\n'],
    ['# about a\na: 1\n\n# about b\nb: 2\n', ['a'], '# about a\n\n# about b\nb: 2\n'],
    ['a:\n  - x\n  # in\n# about b\nb: 2\n', ['a'], '# about b\nb: 2\n'],
    ['a: |\n  x\n\n  # no comment\nb: 2\n', ['a'], 'b: 2\n'],
    ['a: 1\nb: 2\n', ['b', 'a'], ''],
    ['a: {x: 1,\n  y: 2}\nb: 2\n', ['a'], 'b: 2\n'],
    ['{a: 1, b: 2, c: 3}\n', ['a', 'c'], '{b: 2}\n'],
    ['{a: 1, b: 2}\n', ['a', 'b'], '{}\n'],
    ['"a": 1\nb: 2\n', ['a'], 'b: 2\n'],
  ])('%j without %j is %j', (before, unset, after) => {
    expect(yamlOf(before, {}, unset)).toBe(after);
  });

  it('and is not there is told', () => {
    const result = edit('---\na: 1\n---\n', {}, ['b']);
    expect([result.alreadyThere, result.remarks]).toEqual([
      true,
      ['There was no property "b" to take away.'],
    ]);
    expect(edit('no block\n', {}, ['b']).text).toBe('no block\n');
  });
});

describe('frontmatter', () => {
  it('is made where there is none, before every byte of the body', () => {
    expect(edit('x', { a: 1 }).text).toBe('---\na: 1\n---\nx');
    expect(edit('\ufeffx\r\ny\r\n', { a: [1] }).text).toBe('\ufeff---\r\na:\r\n  - 1\r\n---\r\nx\r\ny\r\n');
    expect(edit('', { a: 1 }).text).toBe('---\na: 1\n---\n');
  });

  it.each([
    ['---\na: [\n---\nx', 3],
    ['---\na: 1\na: 2\n---\nx', 3],
    ['---\na: 1\nx', 1],
    ['---\n- a\n---\n', 2],
    ['---\na: 1\n b: 2\n---\n', 2],
    ['---\na: *none\n---\n', 2],
  ])('that cannot be read is refused with its line: %j', (text, line) => {
    for (const [set, unset] of [
      [{ b: 1 }, []],
      [{}, ['a']],
    ] as const) {
      const { code, status, data } = failureOf(() => edit(text, set, unset));
      expect([code, status, data.line]).toEqual(['frontmatter_broken', 422, line]);
    }
  });

  it('whose keys depend on each other is changed in no part', () => {
    for (const [set, unset] of [
      [{ a: 2 }, []],
      [{}, ['a']],
    ] as const)
      expect(codeOf(() => edit('---\na: &x 1\nb: *x\n---\n', set, unset))).toBe('frontmatter_entangled');
  });
});

describe('a Logseq page', () => {
  it.each([
    ['title:: x\n\n- b\n', { title: 'y', k: 'v' }, [], 'title:: y\nk:: v\n\n- b\n'],
    ['- b\n', { k: ['v', 1], tags: ['a b', 'c'] }, [], 'k:: v, 1\ntags:: a b, c\n\n- b\n'],
    ['- title:: x\n  k:: 1\n- b\n', { k: 2, n: true }, ['title'], '- \n  k:: 2\n  n:: true\n- b\n'],
    ['title:: x\nk:: 1\n\n- b\n', {}, ['k'], 'title:: x\n\n- b\n'],
    ['', { k: null }, [], 'k::\n'],
    ['---\na: 1\n---\n- b\n', { a: 2 }, [], '---\na: 2\n---\n- b\n'],
  ])('%j with %j less %j becomes %j', (before, set, unset, after) => {
    expect(edit(before, set, unset, 'logseq').text).toBe(after);
  });

  it('has one line for each property', () => {
    expect(codeOf(() => edit('', { k: 'a\nb' }, [], 'logseq'))).toBe('bad_input');
    expect(codeOf(() => edit('', { k: { a: 1 } }, [], 'logseq'))).toBe('bad_input');
    expect(codeOf(() => edit('', { 'a b': 1 }, [], 'logseq'))).toBe('bad_input');
  });
});

describe('any note', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('a: b', '# x', 'yes', '[[N]]', 'a\nb', '12:30'),
  );
  const value: fc.Arbitrary<unknown> = fc.oneof(
    text.filter((sample) => !sample.includes('\0')),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.oneof(fc.integer(), fc.constantFrom('a', 'b: c')), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y z', 'yes'), fc.oneof(fc.boolean(), fc.array(fc.constant(1))), {
      maxKeys: 2,
    }),
  );
  const key: fc.Arbitrary<string> = fc.constantFrom(
    'title',
    'due',
    'quoted',
    'double',
    'tags',
    'aliases',
    'text',
    'folded',
    'nested',
    'empty',
    'spaced',
    'flow',
    'link',
    'bare',
    'n',
    'emoji',
    '漢',
    'new',
    'New key',
  );

  it('reads back with the change and nothing else; the lines of other keys and the body keep their bytes', () => {
    let done = 0;
    fc.assert(
      fc.property(
        noteText,
        fc.dictionary(key, value, { maxKeys: 3 }),
        fc.array(key, { maxLength: 2 }),
        (note, set, gone) => {
          const unset = gone.filter((name) => !Object.hasOwn(set, name));
          const before = read(note);
          if (before.frontmatter.status !== 'ok' && before.frontmatter.status !== 'none') return;
          done += 1;
          const result = edit(note, set, unset);
          const after = read(result.text);
          const expected: Record<string, unknown> = { ...before.frontmatter.data, ...set };
          for (const name of unset) delete expected[name];
          expect(after.frontmatter.data).toEqual(expected);
          expect(result.text.slice(after.bodyStart)).toBe(note.slice(before.bodyStart));
          expect(result.text.startsWith('\ufeff')).toBe(note.startsWith('\ufeff'));
          for (const [name, lines] of linesOf(before))
            if (!Object.hasOwn(set, name) && !unset.includes(name))
              expect(linesOf(after).get(name)).toBe(lines);
          if (note.includes('\r\n')) expect(/(?<!\r)\n/.test(result.text)).toBe(false);
          expect(edit(result.text, set, unset).text).toBe(result.text);
        },
      ),
      { numRuns: RUNS },
    );
    expect(done).toBeGreaterThan(RUNS / 2);
  });

  /** The lines of each key, comments above it left out; told apart by the column of the key. */
  function linesOf(note: ReturnType<typeof read>): Map<string, string> {
    const { yaml } = note.frontmatter;
    const found = new Map<string, string>();
    if (yaml === null) return found;
    let name = '';
    for (const line of note.text.slice(yaml.start, yaml.end).split('\n')) {
      const top = /^[^\s#-]/.test(line) ? /^"?([^:"]+?)"?\s*:/.exec(line) : null;
      if (top !== null) name = top[1]!;
      if (/^#|^\s*$/.test(line)) continue;
      found.set(name, (found.get(name) ?? '') + line);
    }
    return found;
  }
});
