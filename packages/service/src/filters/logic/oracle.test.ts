import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../../testing/opened.ts';

/** What is known of a note because it was put there. */
interface Fact {
  readonly path: string;
  readonly status: unknown;
  readonly height: unknown;
  readonly tags: readonly string[];
  readonly links: readonly string[];
  readonly missing: readonly string[];
  readonly body: string;
}

type Value = string | number | boolean | null | readonly string[];

/** A tree of JSONLogic, and what it means in plain TypeScript. */
interface Pair {
  readonly tree: unknown;
  readonly means: (fact: Fact) => Value;
}

const STATUSES: readonly unknown[] = ['open', 'done', '7', 7, 0, true, null, undefined];
const HEIGHTS: readonly unknown[] = [0, 1.5, 20, '3', 'tall', undefined];
const TAGS = ['a', 'b/c', 'only'];
const BODIES = ['fox and heron', 'Badger\nheron', 'nothing', 'FOX'];
const NOTES = 60;
const PATHS = Array.from({ length: NOTES }, (_, index) => `${['A', 'A/B', 'C'][index % 3]}/n${index}.md`);

/** Notes in every mixture; the numbers are the same in each run. */
const FACTS: readonly Fact[] = PATHS.map((path, index) => ({
  path,
  status: STATUSES[index % STATUSES.length],
  height: HEIGHTS[(index * 7) % HEIGHTS.length],
  tags: TAGS.filter((_, tag) => (index >> tag) % 2 === 1),
  links: [1, 3, 8].filter((step) => index % step === 0).map((step) => PATHS[(index + step) % NOTES]!),
  missing: index % 5 === 0 ? ['Nobody', `Gone ${index % 2}`] : [],
  body: BODIES[index % BODIES.length]!,
}));

function noteOf({ status, height, tags, links, missing, body }: Fact): string {
  const lines = Object.entries({ status, height, tags }).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}: ${JSON.stringify(value)}`,
  );
  const targets = [...links.map((path) => path.slice(0, -3)), ...missing];
  return `---\n${lines.join('\n')}\n---\n${body}\n${targets.map((target) => `[[${target}]]`).join(' ')}\n`;
}

const constant = (...values: readonly (string | number | boolean | null)[]): fc.Arbitrary<Pair> =>
  fc.constantFrom(...values).map((value) => ({ tree: value, means: () => value }));

const field = (name: string, means: Pair['means']): Pair => ({ tree: { var: name }, means });

const scalarFields: fc.Arbitrary<Pair> = fc.constantFrom(
  field('frontmatter.status', ({ status }) => (status ?? null) as Value),
  field('status', ({ status }) => (status ?? null) as Value),
  field('frontmatter.height', ({ height }) => (height ?? null) as Value),
  field('path', ({ path }) => path),
  field('folder', ({ path }) => path.slice(0, path.lastIndexOf('/'))),
  field('links.length', ({ links }) => links.length),
  field('backlinks.length', (fact) => FACTS.filter(({ links }) => links.includes(fact.path)).length),
);

const listFields: fc.Arbitrary<Pair> = fc.constantFrom(
  field('tags', ({ tags }) => tags),
  field('links', ({ links }) => links),
  field('backlinks', (fact) =>
    FACTS.filter(({ links }) => links.includes(fact.path)).map(({ path }) => path),
  ),
  field('unresolved', ({ missing }) => missing),
);

const scalar = fc.oneof(
  scalarFields,
  constant('open', 'done', 7, 0, 1.5, '3', true, false, null, 'A/B', 'C/n2.md'),
);
const member = constant('a', 'b/c', 'C/n2.md', 'A/n0.md', 'Nobody', 'Gone 1');

const isTrue = (value: Value): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** JavaScript's own comparison, as JSONLogic has it. */
const COMPARISONS: Readonly<Record<string, (a: never, b: never) => boolean>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: what is tested.
  '==': (a, b) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: what is tested.
  '!=': (a, b) => a != b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const comparison: fc.Arbitrary<Pair> = fc
  .tuple(fc.constantFrom(...Object.keys(COMPARISONS)), scalar, scalar)
  .map(([operator, left, right]) => ({
    tree: { [operator]: [left.tree, right.tree] },
    means: (fact) => COMPARISONS[operator]!(left.means(fact) as never, right.means(fact) as never),
  }));

const membership: fc.Arbitrary<Pair> = fc.tuple(member, listFields).map(([item, list]) => ({
  tree: { in: [item.tree, list.tree] },
  means: (fact) => (list.means(fact) as readonly unknown[]).includes(item.means(fact)),
}));

const quantified: fc.Arbitrary<Pair> = fc
  .tuple(fc.constantFrom('some', 'all', 'none'), listFields, fc.constantFrom('A/', 'n1', 'o', 'b'))
  .map(([operator, list, part]) => ({
    tree: { [operator]: [list.tree, { in: [part, { var: '' }] }] },
    means: (fact) => {
      const items = list.means(fact) as readonly string[];
      const holds = (item: string): boolean => item.includes(part);
      if (operator === 'some') return items.some(holds);
      return operator === 'none' ? !items.some(holds) : items.length > 0 && items.every(holds);
    },
  }));

const counted: fc.Arbitrary<Pair> = fc
  .tuple(listFields, fc.constantFrom('A/', 'C/', 'o'))
  .map(([list, part]) => ({
    tree: {
      '>': [
        {
          reduce: [
            { filter: [list.tree, { in: [part, { var: '' }] }] },
            { '+': [{ var: 'accumulator' }, 1] },
            0,
          ],
        },
        1,
      ],
    },
    means: (fact) => (list.means(fact) as readonly string[]).filter((item) => item.includes(part)).length > 1,
  }));

/** Links that lead back, by what is around the list. */
const mutual: fc.Arbitrary<Pair> = fc.constant({
  tree: { some: [{ var: 'links' }, { in: [{ var: '' }, { var: '../../backlinks' }] }] },
  means: (fact: Fact) =>
    fact.links.some((path) => FACTS.find((other) => other.path === path)?.links.includes(fact.path)),
});

const pattern: fc.Arbitrary<Pair> = fc.constantFrom<Pair>(
  { tree: { glob: ['A/*', { var: 'path' }] }, means: ({ path }) => /^A\/[^/]*$/.test(path) },
  {
    tree: { glob: ['C/**', { var: 'links' }] },
    means: ({ links }) => links.some((path) => path.startsWith('C/')),
  },
  { tree: { regexp: ['^heron$', { var: 'content' }] }, means: ({ body }) => /^heron$/m.test(body) },
  { tree: { regexp: ['n\\d$', { cat: [{ var: 'name' }, ''] }] }, means: ({ path }) => /n\d\.md$/.test(path) },
  { tree: { in: ['fox', { var: 'content' }] }, means: ({ body }) => body.includes('fox') },
  {
    tree: { missing: ['frontmatter.status', 'tags'] },
    means: ({ status }) => status === null || status === undefined,
  },
);

const { tree: anyTree } = fc.letrec<{ tree: Pair }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    comparison,
    membership,
    quantified,
    counted,
    mutual,
    pattern,
    tie('tree').map(({ tree, means }) => ({
      tree: { '!': [tree] },
      means: (fact: Fact) => !isTrue(means(fact)),
    })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((parts) => ({
      tree: { and: parts.map(({ tree }) => tree) },
      means: (fact: Fact) => parts.every(({ means }) => isTrue(means(fact))),
    })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((parts) => ({
      tree: { or: parts.map(({ tree }) => tree) },
      means: (fact: Fact) => parts.some(({ means }) => isTrue(means(fact))),
    })),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([test, yes, no]) => ({
      tree: { if: [test.tree, yes.tree, no.tree] },
      means: (fact: Fact) => isTrue((isTrue(test.means(fact)) ? yes : no).means(fact)),
    })),
  ),
}));

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(Object.fromEntries(FACTS.map((fact) => [fact.path, noteOf(fact)])));
});
afterAll(() => vault.close());

describe('JSONLogic in "where"', () => {
  it('leaves the notes that plain predicates leave', async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, async ({ tree, means }) => {
        const answer = await vault.ok('list_notes', { where: tree, sort: 'path', limit: 200 });
        const expected = FACTS.filter((fact) => isTrue(means(fact))).map(({ path }) => path);
        expect(answer.notes.map(({ path }: { path: string }) => path)).toEqual(expected.sort());
      }),
      { numRuns: 150 },
    );
  });
});
