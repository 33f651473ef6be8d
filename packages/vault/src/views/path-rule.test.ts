import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePathRule, readableBy } from './path-rule.ts';

describe('parsePathRule', () => {
  it.each([
    ['Projects', 'Projects/Grove.md', true],
    ['Projects/', 'Projects/Deep/Grove.md', true],
    ['projects', 'PROJECTS/Grove.md', true],
    ['Projects', 'Projects2/Grove.md', false],
    ['Projects', 'My/Projects/Grove.md', false],
    ['Projects/Grove.md', 'Projects/Grove.md', true],
    ['Caf\u00e9', 'Cafe\u0301/Note.md', true],
    ['Projects/*.md', 'Projects/Grove.md', true],
    ['Projects/*.md', 'Projects/Deep/Grove.md', false],
    ['Projects/**/*.md', 'Projects/Deep/Grove.md', true],
    ['Projects/**/*.md', 'Projects/Grove.md', true],
    ['**/Private/**', 'A/B/Private/C.md', true],
    ['**/Private/**', 'Private/C.md', true],
    ['*', 'Grove.md', true],
    ['*', 'Projects/Grove.md', false],
    ['**', 'Projects/Grove.md', true],
    ['[2026] {draft}!', '[2026] {draft}!/Note.md', true],
    ['[2026]*', '[2026] plan.md', true],
    ['[2026]*', '2 plan.md', false],
    ['!Projects', 'Ideas/Note.md', false],
    ['(a|b)*', 'a.md', false],
  ])('%s and %s: %s', (rule, path, matches) => {
    expect(parsePathRule(rule).matches(path)).toBe(matches);
  });

  it.each([
    '',
    '  ',
    '/',
    '/Projects',
    'C:/Notes',
    '../up',
    'a/../b',
    './a',
    'a//b',
    'a\\b',
    'a\u0000',
    'Q?',
    'Privat{e,é}',
    'Private/*.{md,txt}',
    // What a list cut at its commas leaves of `{Private,Work/Secret}`.
    '{Private',
    'Work/Secret}',
    'x'.repeat(2_000),
  ])('refuses %j', (rule) => {
    expect(() => parsePathRule(rule)).toThrow(expect.objectContaining({ code: 'bad_rule' }));
  });

  it('matches many stars without trying every way to share out the path', () => {
    expect(parsePathRule(`${'a*'.repeat(200)}b`).matches(`${'a'.repeat(900)}.md`)).toBe(false);
    expect(parsePathRule(`${'**/a/'.repeat(100)}b`).matches(`${'a/'.repeat(400)}c.md`)).toBe(false);
    expect(parsePathRule('a*b*c/**/d*').matches('aXbYc/1/2/dZ.md')).toBe(true);
  });

  it('answers every string with a rule or bad_rule', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (rule, path) => {
        try {
          expect(typeof parsePathRule(rule).matches(path)).toBe('boolean');
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_rule' });
        }
      }),
    );
  });
});

describe('readableBy', () => {
  const rules = (read: string[], deny: string[]) =>
    readableBy({
      readPaths: read.map(parsePathRule),
      denyPaths: deny.map(parsePathRule),
      writePaths: [],
      readOnly: false,
    });

  it('lets everything be read without rules, and what is allowed with them', () => {
    expect(rules([], [])('Any/Note.md')).toBe(true);
    expect(rules(['A', 'B/*.md'], [])('A/Deep/Note.md')).toBe(true);
    expect(rules(['A', 'B/*.md'], [])('B/Deep/Note.md')).toBe(false);
  });

  it('lets deny win', () => {
    expect(rules(['A'], ['A/Secret'])('A/Secret/Note.md')).toBe(false);
    expect(rules(['A/Secret/Note.md'], ['A'])('A/Secret/Note.md')).toBe(false);
  });

  it('hides all below a folder that a denied glob names, but opens only what an allowed one fits', () => {
    expect(rules([], ['Private*'])('Private stuff/Deep/Note.md')).toBe(false);
    expect(rules(['Private*'], [])('Private stuff/Deep/Note.md')).toBe(false);
    expect(rules(['Private*'], [])('Private.md')).toBe(true);
  });
});
