import { GroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listNotesParameters } from '../list-notes/contract.ts';
import { multiGetParameters } from '../multi-get/contract.ts';
import { queryParameters } from '../query/contract.ts';
import { writeNoteParameters } from '../write-note/parameters.ts';
import { parseInput } from './parse.ts';

function failure(work: () => unknown): GroveError {
  try {
    work();
  } catch (error) {
    if (error instanceof GroveError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('parseInput', () => {
  it('fills in what is absent, null or empty', () => {
    const bare = parseInput(queryParameters, { query: 'x' });
    expect(bare).toMatchObject({
      query: 'x',
      searches: [],
      limit: 8,
      return: 'hits',
      explain: false,
      cursor: null,
    });
    expect(
      parseInput(queryParameters, { query: 'x', cursor: '', tags: null, limit: null, where: '' }),
    ).toEqual(bare);
  });

  it('takes lists and objects as JSON text, as stringifying clients send them', () => {
    const input = parseInput(queryParameters, {
      searches: '[{"type":"lex","query":"a"},{"type":"REGEX","query":"b+"}]',
      folders: '["Projects","Areas"]',
      tags: '["a","-b"]',
      where: '{"status":"active"}',
      limit: '3',
      explain: 'true',
    });
    expect(input.searches).toEqual([
      { type: 'lex', query: 'a' },
      { type: 'regex', query: 'b+' },
    ]);
    expect(input).toMatchObject({
      folders: ['Projects', 'Areas'],
      tags: ['a', '-b'],
      where: { status: 'active' },
      limit: 3,
      explain: true,
    });
  });

  it('takes a text where a list is wanted, and commas where names hold none', () => {
    expect(parseInput(queryParameters, { query: 'x', folders: 'A, B', tags: 'a, b' })).toMatchObject({
      folders: ['A, B'],
      tags: ['a', 'b'],
    });
    expect(parseInput(multiGetParameters, { paths: 'a.md, b.md' }).paths).toEqual(['a.md, b.md']);
    expect(parseInput(queryParameters, { searches: { type: 'lex', query: 'a' } }).searches).toHaveLength(1);
  });

  it('takes the whole input as JSON text', () => {
    expect(parseInput(queryParameters, '{"query":"x"}').query).toBe('x');
    expect(failure(() => parseInput(queryParameters, 'x')).code).toBe('bad_input');
    expect(failure(() => parseInput(queryParameters, [1])).code).toBe('bad_input');
  });

  it('refuses an unknown parameter and says what was meant', () => {
    const slip = failure(() => parseInput(queryParameters, { query: 'x', limt: 3 }));
    expect(slip.code).toBe('unknown_parameter');
    expect(slip.message).toContain('Did you mean "limit"?');
    expect(slip.hint).toContain('max_chars');
    expect(failure(() => parseInput(queryParameters, { q: 'x' })).message).toContain('Did you mean "query"?');
    expect(failure(() => parseInput(listNotesParameters, { order_by: 'x' })).message).toContain('"sort"');
    expect(failure(() => parseInput(queryParameters, JSON.parse('{"__proto__": {}}'))).code).toBe(
      'unknown_parameter',
    );
    expect(failure(() => parseInput(queryParameters, { constructor: 1 })).code).toBe('unknown_parameter');
  });

  it.each<[object, object, string]>([
    [listNotesParameters, { where: '{"__proto__": {"=": 1}, "a": {"__proto__": 2}}' }, 'where'],
    [writeNoteParameters, { set: '{"__proto__": {"a": 1}}' }, 'set'],
    [writeNoteParameters, { frontmatter: '{"__proto__": null}' }, 'frontmatter'],
    [writeNoteParameters, { operations: '[{"path": "a.md", "__proto__": 1}]' }, 'operations'],
  ])('keeps every key of an object: %#', (table, given, name) => {
    const text = (given as Record<string, string>)[name]!;
    const input = parseInput(table as typeof writeNoteParameters, given) as Record<string, unknown>;
    expect(JSON.stringify(input[name])).toBe(JSON.stringify(JSON.parse(text)));
    const parsed = parseInput(table as typeof writeNoteParameters, { [name]: JSON.parse(text) });
    expect(parsed).toEqual(input);
  });

  it('refuses an unknown name inside a search', () => {
    const slip = failure(() =>
      parseInput(queryParameters, { searches: [{ type: 'lex', query: 'a', boost: 2 }] }),
    );
    expect(slip.code).toBe('unknown_parameter');
    expect(slip.message).toContain('searches.0.boost');
  });

  it.each([
    [{ limit: 0 }, '1 to 50'],
    [{ limit: 51 }, '1 to 50'],
    [{ limit: 2.5 }, 'whole number'],
    [{ limit: 'many' }, 'not "many"'],
    [{ return: 'everything' }, 'hits, passages'],
    [{ explain: 'perhaps' }, 'true or false'],
    [{ searches: [{ type: 'magic', query: 'a' }] }, 'lex|vec|hyde|text|regex|like'],
    [{ searches: [{ type: 'lex', query: '' }] }, 'searches.0.query'],
    [{ where: 'status=active' }, 'an object'],
    [{ query: { text: 'x' } }, 'a text'],
  ])('names what fits: %j', (wrong, words) => {
    const error = failure(() => parseInput(queryParameters, { query: 'x', ...wrong }));
    expect(error.code).toBe('bad_input');
    expect(error.message).toContain(words);
  });

  it('says which parameter is missing', () => {
    expect(failure(() => parseInput(multiGetParameters, {})).message).toContain('"paths" is missing');
  });

  it('answers any JSON with an input or a coded error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom(...Object.keys(queryParameters)), fc.jsonValue()),
        ),
        (raw) => {
          try {
            parseInput(queryParameters, raw);
          } catch (error) {
            expect(error).toBeInstanceOf(GroveError);
            expect(['bad_input', 'unknown_parameter']).toContain((error as GroveError).code);
            expect((error as GroveError).message.length).toBeLessThan(600);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('survives lists nested a hundred thousand deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(failure(() => parseInput(queryParameters, { query: 'x', limit: JSON.parse(deep) })).code).toBe(
      'bad_input',
    );
    expect(failure(() => parseInput(queryParameters, { query: 'x', where: deep })).code).toBe('bad_input');
  });
});
