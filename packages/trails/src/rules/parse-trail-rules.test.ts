import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GivenTrailRules, parseTrailRules } from './parse-trail-rules.ts';
import { NO_TRAIL_RULES } from './trail-rules.ts';

const LISTS = Object.keys(NO_TRAIL_RULES) as (keyof GivenTrailRules)[];

describe('parseTrailRules', () => {
  it('keeps rules as they were spelled, less what says nothing', () => {
    const rules = parseTrailRules({
      allowTags: ['#Garden/', ' ai/ml ', 'garden', 'E\u0301te\u0301'],
      denyTypes: [' Journal ', 'journal'],
      allowPaths: ['Projects/', 'projects', '**/A*.md'],
      writeFolders: [' Inbox '],
    });
    expect(rules).toEqual({
      ...NO_TRAIL_RULES,
      allowTags: ['Garden', 'ai/ml', 'Été'],
      denyTypes: ['Journal'],
      allowPaths: ['Projects', '**/A*.md'],
      writeFolders: ['Inbox'],
    });
    expect(parseTrailRules(rules)).toEqual(rules);
  });

  it.each<[GivenTrailRules, string]>([
    [{ allowTags: [''] }, 'the tag is empty'],
    [{ denyTags: ['#'] }, 'the tag is empty'],
    [{ allowTags: ['a b'] }, 'a tag is one word'],
    [{ allowTags: ['a,b'] }, 'a tag is one word'],
    [{ denyTags: ['a#b'] }, 'a tag is one word'],
    [{ allowTags: ['ai/*'] }, 'a tag covers those nested in it without a star'],
    [{ denyTags: ['/ai'] }, 'a part of the tag is empty'],
    [{ denyTags: ['a//b'] }, 'a part of the tag is empty'],
    [{ allowTags: ['x'.repeat(201)] }, 'it is longer than 200 characters'],
    [{ allowTags: ['a\ud800'] }, 'it is not valid Unicode'],
    [{ allowTypes: [' '] }, 'the type is empty'],
    [{ denyTypes: ['a\u0007b'] }, 'it holds a control character'],
    [{ allowTypes: ['persom'] }, 'no note of the vault has this type; did you mean "Person"?'],
    [{ denyTypes: ['salary'] }, 'no note of the vault has this type'],
    [{ allowPaths: ['/etc'] }, 'it is absolute'],
    [{ denyPaths: ['C:\\Notes'] }, 'it is absolute'],
    [{ denyPaths: ['../up'] }, 'it leaves its folder'],
    [{ allowPaths: [''] }, 'it is empty'],
    [{ allowPaths: ['{a,b}'] }, 'only "*" and "**" are special; write one rule for each choice'],
    [{ allowTags: ['a'], writeFolders: ['Inbox/*'] }, 'a write folder is named in full, without a star'],
    [{ allowTags: ['a'], writeFolders: ['Inbox/x.md'] }, 'it names a note; notes are written in folders'],
    [{ allowTags: ['a'], writeFolders: ['/Inbox'] }, 'it is absolute'],
    [{ allowTags: Array.from({ length: 201 }, (_, at) => `t${at}`) }, 'a list holds at most 200 of them'],
    [{}, 'a trail without rules would share the whole vault'],
    [{ allowTags: [], writeFolders: ['Inbox'] }, 'a trail without rules would share the whole vault'],
  ])('refuses %j: %s', (given, reason) => {
    expect(() => parseTrailRules(given, { types: ['Person', 'meeting'] })).toThrow(
      expect.objectContaining({ code: 'bad_rule', data: expect.objectContaining({ reason }) }),
    );
  });

  it.each([
    [{ allowTags: ['#'] }, 'Name a tag'],
    [{ allowTypes: ['gone'] }, 'Name a type'],
    [{ allowPaths: ['/etc'] }, 'Use a folder'],
    [{}, 'Say which notes it shows'],
  ])('says of %j what to name instead', (given, next) => {
    expect(() => parseTrailRules(given, { types: ['person'] })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(next) }),
    );
  });

  it('takes any type where nobody says which there are, and one in any case where somebody does', () => {
    expect(parseTrailRules({ allowTypes: ['anything'] }).allowTypes).toEqual(['anything']);
    expect(parseTrailRules({ allowTypes: ['PERSON'] }, { types: ['Person'] }).allowTypes).toEqual(['PERSON']);
  });

  it('shares all of a vault for who says so, and says how', () => {
    expect(parseTrailRules({ allowPaths: ['**'] }).allowPaths).toEqual(['**']);
    expect(() => parseTrailRules({})).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('"**"') }),
    );
  });

  it('answers whatever comes in with rules or with bad_rule', () => {
    const list = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 3 });
    const given = fc.record(Object.fromEntries(LISTS.map((name) => [name, list])), { requiredKeys: [] });
    fc.assert(
      fc.property(given, (rules) => {
        try {
          const parsed = parseTrailRules(rules);
          expect(parseTrailRules(parsed)).toEqual(parsed);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_rule' });
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
