import { parseVaultPath } from '@grove/core';
import { type JudgedNote, readableBy } from '@grove/vault';
import { describe, expect, it } from 'vitest';
import { type GivenTrailRules, parseTrailRules } from '../rules/parse-trail-rules.ts';
import { judge } from './judge.ts';
import { trailViewRules } from './trail-view-rules.ts';

function note(path: string, said: Partial<JudgedNote> = {}): JudgedNote {
  const plain = {
    type: null,
    tags: [],
    otherTypes: [],
    otherTags: [],
    frontmatterStatus: 'none',
    private: false,
    conflictCopy: false,
  } as const;
  return { ...plain, path: parseVaultPath(path), ...said };
}

/** As a View judges, by path and by note; `judge` must agree. */
function shows(given: GivenTrailRules, one: JudgedNote): boolean {
  const rules = parseTrailRules(given);
  const compiled = trailViewRules(rules);
  const isShown = readableBy(compiled)(one.path) && compiled.notes?.admits(one) === true;
  expect(judge(rules, one).visible).toBe(isShown);
  return isShown;
}

describe('the View rules of a trail', () => {
  const tagged = (...tags: string[]) => note('A/x.md', { tags, frontmatterStatus: 'ok' });

  it.each<[GivenTrailRules, JudgedNote, boolean]>([
    // A tag covers those nested in it, whatever the case, by whole parts.
    [{ allowTags: ['ai'] }, tagged('ai'), true],
    [{ allowTags: ['ai'] }, tagged('AI/ml'), true],
    [{ allowTags: ['Ai/ML'] }, tagged('ai/ml/vision'), true],
    [{ allowTags: ['ai/ml'] }, tagged('ai'), false],
    [{ allowTags: ['ai'] }, tagged('air'), false],
    [{ allowTags: ['ai'] }, tagged(), false],
    [{ allowTags: ['\u00e9te'] }, tagged('E\u0301te'), true],
    [{ allowTags: ['a', 'b'] }, tagged('b'), true],
    [{ denyTags: ['ai'] }, tagged('x', 'ai/ml'), false],
    [{ denyTags: ['ai'] }, tagged('air'), true],
    // Types are whole.
    [{ allowTypes: ['Person'] }, note('x.md', { type: 'person' }), true],
    [{ allowTypes: ['Person'] }, note('x.md', { type: 'persons' }), false],
    [{ allowTypes: ['Person'] }, note('x.md'), false],
    [{ denyTypes: ['Person'] }, note('x.md'), true],
    [{ denyTypes: ['person'] }, note('x.md', { type: ' Person ' }), false],
    // What may be meant as one is denied, and does not let in.
    [{ denyTypes: ['client'] }, note('x.md', { type: 'book', otherTypes: ['Client'] }), false],
    [{ allowTypes: ['client'] }, note('x.md', { type: 'book', otherTypes: ['Client'] }), false],
    [{ denyTags: ['work'] }, note('x.md', { otherTags: ['Work/salary'] }), false],
    [{ allowTags: ['work'] }, note('x.md', { otherTags: ['work'] }), false],
    // Paths by whole segments; what is denied wins.
    [{ allowPaths: ['projects'] }, note('Projects/a/b.md'), true],
    [{ allowPaths: ['Projects'] }, note('Projects-old/a.md'), false],
    [{ denyPaths: ['Projects'] }, note('PROJECTS/a.md'), false],
    [{ allowPaths: ['A'], denyPaths: ['A/B'] }, note('A/B/c.md'), false],
    [{ allowPaths: ['**'] }, note('c.md'), true],
    // All of them together.
    [{ allowTags: ['ai'], allowPaths: ['B'] }, tagged('ai'), false],
    [{ allowTags: ['ai'], denyTags: ['ai/ml'] }, tagged('ai', 'ai/ml'), false],
    [{ allowTags: ['ai'], allowTypes: ['x'], allowPaths: ['A'] }, { ...tagged('ai'), type: 'X' }, true],
    // Whatever the rules are.
    [{ allowPaths: ['**'] }, note('c.md', { private: true, frontmatterStatus: 'ok' }), false],
    [{ allowPaths: ['**'] }, note('c.md', { frontmatterStatus: 'broken' }), false],
    [{ allowPaths: ['**'] }, note('c.md', { frontmatterStatus: 'unclosed' }), false],
    [{ allowPaths: ['**'] }, note('c.md', { conflictCopy: true }), false],
  ])('%j shows %j: %s', (given, one, isShown) => expect(shows(given, one)).toBe(isShown));

  it('let notes be written in the write folders alone, and in none without them', () => {
    const none = trailViewRules(parseTrailRules({ allowTags: ['a'] }));
    expect([none.readOnly, none.writePaths]).toEqual([true, []]);
    const some = trailViewRules(parseTrailRules({ allowTags: ['a'], writeFolders: ['Inbox'] }));
    expect([some.readOnly, some.writePaths.map(({ source }) => source)]).toEqual([false, ['Inbox']]);
  });

  it('are the same for rules that mean the same, and others for others', () => {
    const sourceOf = (given: GivenTrailRules) => trailViewRules(parseTrailRules(given)).notes?.source;
    expect(sourceOf({ allowTags: ['b', '#A'] })).toBe(sourceOf({ allowTags: ['a', 'B/'] }));
    expect(sourceOf({ allowTags: ['a'] })).not.toBe(sourceOf({ denyTags: ['a'] }));
    expect(sourceOf({ allowTags: ['a'] })).not.toBe(sourceOf({ allowTypes: ['a'] }));
  });

  it('tell which types may never show', () => {
    const { notes } = trailViewRules(parseTrailRules({ allowTypes: ['Book', 'note'], denyTypes: ['note'] }));
    expect(['book', 'NOTE', 'salary'].map((type) => notes?.admitsType(type))).toEqual([true, false, false]);
  });
});
