import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOGIC_OPERATORS } from '../filters/logic/operators.ts';
import { operations } from '../operations.ts';
import { GARDEN } from '../testing/garden.ts';
import { callChecked, openTestVault, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(GARDEN);
});
afterAll(() => vault.close());

/** Names of every text parameter, and of every parameter, by operation. */
const textParameters = operations.flatMap((operation) =>
  Object.entries(operation.inputSchema.properties as Record<string, { type: string }>)
    .filter(([, { type }]) => type !== 'integer' && type !== 'boolean')
    .map(([name]) => ({ operation, name })),
);

const REQUIRED: Readonly<Record<string, object>> = {
  query: { query: 'soil' },
  get: { path: 'Tomatoes' },
  multi_get: { paths: 'Tomatoes' },
};

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(...'../\\%#^[]{}()*?!|"\'`~&;:,=-+ \n\u0000\ud800é日🙂abc019'.split('')),
  }),
  fc.constantFrom(
    '[[',
    ']]',
    '[[]]',
    '#',
    '^',
    '#^',
    '@2',
    '!',
    '\u0000',
    '%2e%2e%2f',
    '..%2F',
    'CON',
    'nul.md',
    '.md',
    '*'.repeat(500),
    '('.repeat(500),
    '"'.repeat(501),
    'tag:',
    'title:"',
    '-',
    '--',
    'a AND',
    '*:*',
    '\\',
    '(?=x)',
    'x{1000000}',
    '__proto__',
    'constructor',
    'a'.repeat(20_000),
    '漢'.repeat(5_000),
    '{"and":[]}',
    '{"a":{"$gt":1}}',
    '[1,2',
    'weekly:9999-W99',
    '0000-00-00',
  ),
);

describe('every text that can be sent', () => {
  it.each(textParameters)('$operation.name $name', async ({ operation, name }) => {
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        const { error } = await callChecked(operation, vault.scope, {
          ...REQUIRED[operation.name],
          [name]: value,
        });
        expect(error?.code).not.toBe('internal');
      }),
      { numRuns: 25 },
    );
  });

  it('as any search', async () => {
    const query = operations[0]!;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('lex', 'vec', 'hyde', 'text', 'regex', 'like'),
        hostile,
        async (type, words) => {
          const { error } = await callChecked(query, vault.scope, { searches: [{ type, query: words }] });
          expect([undefined, 'bad_regex', 'bad_input']).toContain(error?.code);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('as fields of where', async () => {
    const list = operations[3]!;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(hostile, fc.oneof(hostile, fc.jsonValue())), async (where) => {
        const { error } = await callChecked(list, vault.scope, { where });
        expect([undefined, 'bad_filter']).toContain(error?.code);
      }),
      { numRuns: 100 },
    );
  });

  it('as trees of where', async () => {
    const list = operations[3]!;
    const operator = fc.constantFrom(...LOGIC_OPERATORS);
    const { tree } = fc.letrec((tie) => ({
      tree: fc
        .tuple(operator, fc.array(fc.oneof(tie('leaf'), tie('tree')), { maxLength: 3 }))
        .map(([name, args]) => ({ [name]: args })),
      leaf: fc.oneof(
        hostile,
        fc.jsonValue({ maxDepth: 1 }),
        fc.record({ var: fc.constantFrom('', 'path', 'content', 'tags', 'frontmatter', 'modified') }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (where) => {
        const { error } = await callChecked(list, vault.scope, { where });
        expect([undefined, 'bad_filter', 'bad_regex']).toContain(error?.code);
      }),
      { numRuns: 300 },
    );
  });
});
