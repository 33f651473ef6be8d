import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSimpleYaml } from './simple-yaml.ts';
import { parseYaml } from './yaml.ts';

describe('readSimpleYaml', () => {
  it('reads the usual frontmatter', () => {
    const yaml =
      'title: Plan (v2), part: two'.replace(': two', ' two') +
      '\r\ntags:\n  - a/b\n  - "#c"\n\naliases:\n- One\nempty:\ndue: 2026-11-30\nstars: 5\nquoted: \'x: # y\'\n';
    expect(readSimpleYaml(yaml)?.data).toEqual({
      title: 'Plan (v2), part two',
      tags: ['a/b', '#c'],
      aliases: ['One'],
      empty: null,
      due: '2026-11-30',
      stars: 5,
      quoted: 'x: # y',
    });
  });

  it.each([
    'a: [b]',
    'a: {b: c}',
    'a: true',
    'a: 1.5',
    'a: 007',
    'a: "b\\n"',
    'a: b: c',
    'a: b # c',
    'a: b:',
    'a: *b',
    'a: |\n  b',
    'a: b\n  c',
    'a: b\n- c',
    'a:\n  - b\n - c',
    'a:\n  b: c',
    'a:\n  - b: c',
    '- a',
    'a: b\na: c',
    'a b: c',
    'a\t: b',
    'a: \tb',
    '# only',
  ])('leaves %j to the parser', (yaml) => {
    expect(readSimpleYaml(yaml)).toBeNull();
  });

  it('reads nothing otherwise than the parser', () => {
    const scalar = fc.oneof(
      fc.constantFrom(
        'word',
        'two words',
        '[]',
        '[ ]',
        '"quoted"',
        "'single'",
        '""',
        '2026-11-30',
        '12',
        '0',
        '007',
        '1e3',
        'null',
      ),
      fc.constantFrom(
        'True',
        'no',
        '~',
        'a: b',
        'a #b',
        'a#b',
        'a:b',
        'a:',
        'x, y',
        '[z]',
        'a [b]',
        '"a" b',
        "it's",
      ),
      fc.constantFrom(
        '"a#b: c"',
        '- x',
        '*x',
        '&x y',
        '!t z',
        '| ',
        '> ',
        '[[Link]]',
        'ünï',
        '漢字',
        'a\u00a0b',
        'a\u0085b',
      ),
      fc.constantFrom(
        "'it''s'",
        '"x\\"y"',
        '"open',
        'a "b"',
        'a\tb',
        '%',
        '@a',
        '`a`',
        'a\u2028b',
        '\ufeff',
        '.inf',
        '---',
      ),
      fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
    );
    const key = fc.constantFrom(
      'a',
      'b',
      'c',
      'tags',
      'ms.date',
      'x-y',
      '_z',
      'a b',
      '1',
      'true',
      '__proto__',
      'toString',
      '"q"',
      '',
    );
    const gap = fc.constantFrom(' ', '', '  ', '\t');
    const line = fc.oneof(
      fc
        .tuple(key, gap, scalar, gap)
        .map(([name, before, value, after]) => `${name}:${before}${value}${after}`),
      key.map((name) => `${name}:`),
      fc
        .tuple(fc.constantFrom('', ' ', '  ', '    '), gap, scalar, gap)
        .map(([indent, before, value, after]) => `${indent}-${before}${value}${after}`),
      fc.constantFrom('', ' ', '# comment', '  # comment', 'text', '  text', '? a', '...', '---'),
    );
    const yaml = fc
      .array(line, { maxLength: 8 })
      .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.map((text) => text + end).join('')));
    let simple = 0;
    fc.assert(
      fc.property(yaml, (text) => {
        const reading = readSimpleYaml(text);
        if (reading === null) return;
        simple += 1;
        expect(reading).toEqual(parseYaml(text));
      }),
      { numRuns: 20_000 },
    );
    expect(simple).toBeGreaterThan(1000);
  });
});
