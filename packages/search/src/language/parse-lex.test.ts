import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clause, MAX_CLAUSE_LENGTH, MAX_CLAUSES } from './lex-query.ts';
import { parseLex } from './parse-lex.ts';

function clause(form: Clause['form'], text: string, more: Partial<Clause> = {}): Clause {
  return { form, text, field: null, negated: false, count: 1, ...more };
}

describe('parseLex', () => {
  it.each<[string, Clause[]]>([
    ['two words', [clause('word', 'two'), clause('word', 'words')]],
    ['"a phrase" word', [clause('phrase', 'a phrase'), clause('word', 'word')]],
    ['“curly quotes”', [clause('phrase', 'curly quotes')]],
    [
      '-draft -"old plan"',
      [clause('word', 'draft', { negated: true }), clause('phrase', 'old plan', { negated: true })],
    ],
    ['kube*', [clause('prefix', 'kube')]],
    ['title:grove', [clause('word', 'grove', { field: 'title' })]],
    ['Title:"The Grove"', [clause('phrase', 'The Grove', { field: 'title' })]],
    ['tags:#ai/ml', [clause('word', '#ai/ml', { field: 'tag' })]],
    ['-tag:draft', [clause('word', 'draft', { field: 'tag', negated: true })]],
    ['path:Projects/2026*', [clause('prefix', 'Projects/2026', { field: 'path' })]],
    ['heading:tasks', [clause('word', 'tasks', { field: 'heading' })]],
    [
      "real-time 1.0.21 GB/s don't C++",
      ['real-time', '1.0.21', 'GB/s', "don't", 'C++'].map((text) => clause('word', text)),
    ],
    ['word other Word', [clause('word', 'word', { count: 2 }), clause('word', 'other')]],
  ])('reads %j', (query, clauses) => {
    expect(parseLex(query)).toEqual({ clauses, cut: false });
  });

  it.each<[string, string[]]>([
    ['"unbalanced quote', ['unbalanced', 'quote']],
    ['title:"unbalanced', ['unbalanced']],
    ['title: grove', ['title:', 'grove']],
    ['ls -la - --all', ['ls', 'la', '--all']],
    ['git commit -m text', ['git', 'commit', '-m', 'text']],
    ['*  ** - "" :: ?!', []],
    ['', []],
    ['🚀', []],
  ])('searches what does not parse as it looks: %j', (query, texts) => {
    expect(parseLex(query).clauses.map(({ text }) => text)).toEqual(texts);
  });

  it('keeps an emoji that is the value of a field', () => {
    expect(parseLex('title:🚀').clauses).toEqual([clause('word', '🚀', { field: 'title' })]);
  });

  it('bounds a long query and says so', () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');
    const { clauses, cut } = parseLex(words);
    expect([clauses.length, cut]).toEqual([MAX_CLAUSES, true]);
    expect(parseLex('same '.repeat(20_000))).toEqual({
      clauses: [clause('word', 'same', { count: 20_000 })],
      cut: false,
    });
  });

  it('cuts one long word between characters and says so', () => {
    const { clauses, cut } = parseLex('x𝒙'.repeat(50_000));
    expect(cut).toBe(true);
    expect(clauses[0]!.text.length).toBeLessThanOrEqual(MAX_CLAUSE_LENGTH);
    expect(clauses[0]!.text.isWellFormed()).toBe(true);
  });

  it('reads any string into bounded, well-formed clauses', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('"', '-', ':', '*', ' ', 'a', 'title:', 'tag:', '“', '+', '#', '\ud800', '\0'),
      }),
    );
    fc.assert(
      fc.property(hostile, (query) => {
        const { clauses } = parseLex(query);
        expect(clauses.length).toBeLessThanOrEqual(MAX_CLAUSES);
        for (const { text } of clauses) {
          expect(text).not.toBe('');
          expect(text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
