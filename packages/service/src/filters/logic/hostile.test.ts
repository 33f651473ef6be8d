import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../../testing/opened.ts';
import { LOGIC_OPERATORS } from './operators.ts';

const LINKS = 600;

/** Arguments of the operators that do not take just anything. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  var: ['path', 1],
  missing: ['path', 'key'],
  missing_some: [1, ['path', 'key']],
  ...Object.fromEntries(
    ['map', 'filter', 'some', 'none', 'all'].map((name) => [name, [[1, 2], { '>': [{ var: '' }, 1] }]]),
  ),
  reduce: [[1, 2], { '+': [{ var: 'accumulator' }, { var: 'current' }] }, 0],
  glob: ['*', { var: 'path' }],
  regexp: ['a', { var: 'path' }],
};

let vault: TestVault;
beforeAll(async () => {
  const names = Array.from({ length: LINKS }, (_, index) => `n${index}`);
  vault = await openTestVault({
    ...Object.fromEntries(names.map((name) => [`${name}.md`, `${name}\n`])),
    'Hub.md': `---\nlengthy: {length: 1000000000}\n"toString": 1\nconstructor: {name: Object}\n---\n${names.map((name) => `[[${name}]]`).join(' ')}\n`,
    'Long.md': `---\nlist: ${JSON.stringify(['x'.repeat(3_000)])}\n---\n${'ab '.repeat(200_000)}\n`,
  });
});
afterAll(() => vault.close());

const refusal = async (where: unknown, more: object = {}): Promise<string> => {
  const error = await vault.fail('list_notes', { where, ...more });
  expect(['bad_filter', 'bad_regex', 'bad_input']).toContain(error.code);
  return error.message;
};
const total = async (where: unknown): Promise<number> => (await vault.ok('list_notes', { where })).total;

const links = { var: 'links' };
const nested = (tree: unknown, levels: number): unknown =>
  levels === 0 ? tree : { '!': [nested(tree, levels - 1)] };

describe('a tree that is too much', () => {
  it('in depth', async () => {
    expect(await total(nested(true, 20))).toBe(LINKS + 2);
    expect(await refusal(nested(true, 40))).toContain('24 levels');
    expect(await refusal(nested(true, 5_000))).toMatch(/24 levels|JSON/);
  });

  it('in parts', async () =>
    expect(await refusal({ or: Array.from({ length: 600 }, () => false) })).toContain('500 parts'));

  it('in names that "missing" lists', async () =>
    expect(await refusal({ missing: Array.from({ length: 600 }, (_, index) => `k${index}`) })).toContain(
      '500 parts',
    ));

  it('in the length of a text', async () => {
    expect(await refusal({ '==': ['x'.repeat(1_001), 1] })).toContain('1000 characters');
    expect(await refusal({ '!!': [{ var: 'x'.repeat(300) }] })).toContain('names written out');
  });

  it('in patterns', async () => {
    const patterns = Array.from({ length: 21 }, (_, index) => ({ regexp: [`a${index}`, { var: 'path' }] }));
    expect(await refusal({ or: patterns })).toContain('20 globs');
    expect(await refusal({ regexp: ['a'.repeat(600), { var: 'path' }] })).toContain('512 characters');
    expect(await refusal({ regexp: ['(', { var: 'path' }] })).toContain('regular expression');
    expect(await refusal({ glob: ['{a,b}'.repeat(7), { var: 'path' }] })).toContain('choices');
  });

  it.each([
    [
      'lists inside lists',
      { map: [links, { map: [{ var: '../../links' }, { map: [{ var: '../../../../links' }, 1] }] }] },
    ],
    ['lists of plain values', { all: [links, { none: [{ var: '../../links' }, false] }] }],
    [
      'a list that doubles',
      { reduce: [links, { merge: [{ var: 'accumulator' }, { var: 'accumulator' }] }, [1]] },
    ],
    [
      'a text that doubles',
      { reduce: [links, { cat: [{ var: 'accumulator' }, { var: 'accumulator' }] }, 'ab'] },
    ],
    [
      'long lists searched',
      { some: [links, { in: ['zz', { map: [{ var: '../../links' }, { var: '' }] }] }] },
    ],
  ])('in work for one note: %s', async (_, where) => {
    expect(await refusal({ '!!': [where] }, { glob: 'Hub.md' })).toContain('for "Hub.md" alone');
  });

  it('in work for all notes', async () => {
    // Each note stays below its own bound.
    const list = Array.from({ length: 100 }, () => 1);
    const where = { map: [list, { map: [list, { '+': [{ var: '' }, 1] }] }] };
    expect(await refusal({ '!!': [where] })).toContain('narrow by folders, tags or types');
  });
});

describe('a tree that means harm', () => {
  it.each([
    'constructor',
    'toString',
    '__proto__',
    'constructor.constructor',
    'links.constructor',
    'links.map',
    'path.constructor.prototype',
    'frontmatter.__proto__',
    'row.stat',
    'fields',
    'tags.__proto__.length',
    'created.getTime',
  ])('finds nothing inherited under %j', async (name) => {
    // A note that has such a key as its own shows that, and nothing else does.
    const own = ['constructor', 'toString'].includes(name) ? 1 : 0;
    expect(await total({ '!!': [{ var: name }] })).toBe(own);
    expect(await total({ missing: [name] })).toBe(LINKS + 2 - own);
  });

  it.each([
    ['log'],
    ['throw'],
    ['try'],
    ['pipe'],
    ['eachKey'],
    ['val'],
    ['constructor'],
    ['hasOwnProperty'],
    ['then'],
  ])('has no operator %j', async (operator) =>
    expect(await refusal({ '!!': [{ [operator]: ['x'] }] })).toContain('is no operator'),
  );

  it('has no operator "__proto__"', async () =>
    expect(await refusal('{"!!": [{"__proto__": ["x"]}]}')).toMatch(/is no operator|JSON/));

  it.each([
    { some: [{ var: 'lengthy' }, true] },
    { all: [{ var: 'frontmatter.lengthy' }, false] },
    { reduce: [{ var: 'path' }, { var: 'current' }, 0] },
    { '+': [{ var: 'frontmatter' }, { var: 'links' }] },
    { '<': [{ var: 'frontmatter' }, 'x'] },
    { '==': [{ var: 'links' }, 'n1.md'] },
    { max: ['a', null] },
    { '/': [1, 0, { var: 'nothing' }] },
    { '-': [] },
    { in: ['x', { var: 'frontmatter' }] },
    { cat: [[[['a']]], { var: 'frontmatter' }, null] },
    { substr: [null, 'a', {}] },
    { merge: [] },
    { if: [] },
    { regexp: ['a', { var: 'frontmatter' }] },
  ])('takes what does not fit together for a value: %j', async (where) =>
    expect(await total({ and: [{ '!': [where] }, { '!!': [where] }] })).toBe(0),
  );

  it.each<[unknown, string]>([
    [{ annd: [{ '==': [1, 1] }] }, 'did you mean "and"'],
    [{ any: [links, { '==': [{ var: '' }, 'a'] }] }, 'did you mean "some"'],
    [{ and: [{ not: [true] }] }, 'did you mean "!"'],
    [{ and: [{ regex: ['a', { var: 'path' }] }] }, 'did you mean "regexp"'],
    [{ and: [{ '!': [true] }], status: 'open' }, 'stands alone'],
    [{ and: [{ '==': [1, 1], '!=': [1, 2] }] }, 'one operator'],
    [{ '==': [{ var: { cat: ['con', 'tent'] } }, 1] }, 'written out'],
    [{ '!!': [{ missing: { merge: ['a'] } }] }, 'written out'],
    [{ glob: [{ var: 'path' }, 'a'] }, 'takes its pattern first'],
    [{ '==': [1] }, 'list of 2'],
    [{ some: [links, { '==': [{ var: '../path' }, 1] }] }, 'names nothing'],
    [{ '==': [{ var: '../../path' }, 1] }, 'names nothing'],
    [{ '<': [{ var: 'modified' }, 'soon'] }, 'no date'],
    [{ '<': ['created', { var: ['created'] }] }, 'no date'],
    [{ missing_some: ['a', ['b']] }, 'a number'],
  ])('teaches what fits instead of %j', async (where, words) =>
    expect(await refusal(where)).toContain(words),
  );
});

it('matches globs with paths, not with whole texts', async () => {
  expect(await total({ glob: ['*ab*', { var: 'content' }] })).toBe(0);
  expect(await total({ glob: ['?'.repeat(900), { var: 'list' }] })).toBe(0);
  expect(await total({ regexp: ['(a|b)+ (a|b)+ (c|d)', { var: 'content' }] })).toBe(0);
});

it('never becomes code, with every operator in it', async () => {
  const tree = {
    and: LOGIC_OPERATORS.filter((operator) => operator !== 'and').map((operator) => ({
      or: [{ [operator]: ARGUMENTS[operator] ?? [{ var: 'path' }, 1, 2] }, true],
    })),
  };
  const script = `
    import { compileLogic } from ${JSON.stringify(new URL('./compile.ts', import.meta.url).href)};
    import { PatternVerdicts } from ${JSON.stringify(new URL('./pattern-verdicts.ts', import.meta.url).href)};
    const moments = { read: () => null, write: String };
    const logic = await compileLogic(${JSON.stringify(tree)}, moments, new PatternVerdicts());
    console.log(logic.matches({ path: 'a.md', words: 1 }, { property: () => undefined }));
  `;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(stdout).toBe('true\n');
});
