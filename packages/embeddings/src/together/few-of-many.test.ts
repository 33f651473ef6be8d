import { allowAll, parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServedVault, type ServedVault } from '../testing/served-vault.ts';

/** More than any search takes into account of one kind. */
const OTHERS = 600;
const FEW = { 'trail/a.md': 'heron', 'trail/b.md': 'Reeds.', 'trail/c.md': 'Mud.' };

describe('a View of three notes in a large vault', () => {
  let served: ServedVault;
  beforeAll(async () => {
    const notes: Record<string, string> = { ...FEW };
    // Each of them is nearer to the queries, by words and by meaning.
    for (let at = 0; at < OTHERS; at++) notes[`rest/${at % 20}/heron-${at}.md`] = 'heron heron heron';
    served = await openServedVault(notes);
  }, 240_000);
  afterAll(() => served.close());

  const pathsOf = async (
    types: readonly ('lex' | 'vec' | 'hyde' | 'like')[],
    query: string,
    trail: boolean,
  ) => {
    const view = served.folder.vault.view(
      trail ? { ...allowAll, readPaths: [parsePathRule('trail')] } : allowAll,
    );
    const searches = types.map((type) => ({ type, query }));
    return (await served.folder.ask(searches, { view })).hits.map(({ row }) => row.path);
  };

  it.each([[['vec']], [['hyde']], [['lex', 'vec']]] as const)(
    'finds its note first by %j, though hundreds of hidden ones are nearer',
    async (types) => {
      expect(await pathsOf(types, 'heron', false)).not.toContain('trail/a.md');
      expect((await pathsOf(types, 'heron', true))[0]).toBe('trail/a.md');
    },
  );

  it('finds all of them by meaning, and nothing else', async () => {
    for (const query of ['heron', 'mud', 'no such word'])
      expect((await pathsOf(['vec'], query, true)).toSorted()).toEqual(Object.keys(FEW));
  });
});
