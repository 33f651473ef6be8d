import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { judgeNotes } from './judge-notes.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({ 'A.md': 'fox\n', 'B.md': 'lynx\n', 'C.md': 'fox\n' });
});
afterAll(() => vault.close());

it('reads the text of so many notes and no more', async () => {
  const judge = judgeNotes(vault.scope, (row, fields) => String(fields.content(row)).includes('fox'), 2);
  const [a, b, c] = vault.scope.view.notes();
  expect([await judge(a!), await judge(b!)]).toEqual([true, false]);
  await expect(judge(c!)).rejects.toMatchObject({
    code: 'bad_filter',
    hint: expect.stringContaining('query'),
  });
});

it('reads nothing where the question does not come to the text', () => {
  const judge = judgeNotes(vault.scope, (row, fields) => row.size > 100 && fields.content(row) !== '', 0);
  expect(vault.scope.view.notes().map(judge)).toEqual([false, false, false]);
});

describe('of many notes', () => {
  const MANY = 40;
  let many: TestVault;
  beforeAll(async () => {
    const note = (at: number) =>
      `---\nkey: lynx\n---\n${at % 3 === 0 ? 'A lynx' : 'a fox'} ${at}${at === 1 ? ' [[Later]]' : ''}\n`;
    many = await openTestVault(
      Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`n${at}.md`, note(at)])),
    );
  });
  afterAll(() => many.close());

  const LINKED = { in: [{ cat: [' ', { var: 'links.length' }] }, { var: 'content' }] };
  const TREES: readonly object[] = [
    { in: ['lynx', { var: 'content' }] },
    { '!': [{ in: ['lynx', { var: 'content' }] }] },
    { regexp: ['^A', { var: 'content' }] },
    { and: [{ in: ['lynx', { var: 'content' }] }, { regexp: ['[05]$', { var: 'content' }] }] },
    { in: [{ cat: ['fox ', { substr: [{ var: 'name' }, 1] }] }, { var: 'content' }] },
    { '>': [{ var: 'content.length' }, 8] },
    { '==': [{ substr: [{ var: 'content' }, 0, 1] }, 'A'] },
    { in: [{ var: 'frontmatter.key' }, { var: 'content' }] },
    LINKED,
    { content: { contains: 'LYNX' } },
    { content: { '!=': 'a fox 1' } },
    { content: { contains: 'a', '>': 'a lynx' } },
  ];
  const totals = async () => {
    const found: number[] = [];
    for (const where of TREES) found.push((await many.ok('list_notes', { where })).total);
    return found;
  };

  it('answers alike from the index, when asked again, and from the files where there is no index', async () => {
    const known = await totals();
    expect(known).toEqual([14, 26, 14, 3, 26, 35, 14, 14, 1, 14, 40, 14]);
    expect(await totals()).toEqual(known);
    // Not what links to what: that may become other while the text stays.
    await many.folder.write({ 'Later.md': 'x\n' });
    await many.opened.vault.reconcile();
    expect((await many.ok('list_notes', { where: LINKED })).total).toBe(2);
    await many.opened.search.close();
    // A name of its own, so that nothing is known of it yet.
    for (const at of [0, 1, 2]) await many.folder.write({ [`new${at}.md`]: 'A lynx 0\n' });
    await many.opened.vault.reconcile();
    expect((await many.ok('list_notes', { where: { in: ['lynx 0', { var: 'content' }] } })).total).toBe(4);
    expect((await many.ok('list_notes', { where: TREES[0] })).total).toBe(17);
  });

  it('knows what was written a moment ago, whatever was known before', async () => {
    const changing = await openTestVault({});
    const bodies = new Map<string, string>();
    const change = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 24 }), fc.constantFrom('fox', 'lynx', 'Fox lynx')),
      { minLength: 1, maxLength: 25 },
    );
    const wanted: readonly (readonly [object, (body: string) => boolean])[] = [
      [{ in: ['fox', { var: 'content' }] }, (body) => body.includes('fox')],
      [{ regexp: ['(?i)^fox', { var: 'content' }] }, (body) => /^fox/im.test(body)],
      [{ '>': [{ var: 'content.length' }, 5] }, (body) => body.length > 5],
    ];
    const holds = async (changes: readonly (readonly [number, string])[]): Promise<void> => {
      for (const [at, body] of changes) bodies.set(`n${at}.md`, `${body}\n`);
      await changing.folder.write(Object.fromEntries(bodies));
      await changing.opened.vault.reconcile();
      for (const [where, means] of wanted) {
        const { notes } = await changing.ok('list_notes', { where, sort: 'path' });
        const expected = [...bodies].flatMap(([path, body]) => (means(body) ? [path] : []));
        expect(notes.map(({ path }: { path: string }) => path)).toEqual(expected.sort());
      }
    };
    try {
      await fc.assert(fc.asyncProperty(change, holds), { numRuns: 25, endOnFailure: true });
    } finally {
      await changing.close();
    }
  });
});
