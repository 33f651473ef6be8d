import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MeaningVault, openMeaningVault } from '../../testing/meaning-vault.ts';
import { CASES } from './cases.ts';
import { NOTES } from './notes.ts';

/** How many of the sixty have to come first, and within the first three; processors differ in the last digits. */
const FIRST = 52;
const AMONG_THREE = 57;

describe('sixty searches for notes such as people keep', () => {
  let folder: MeaningVault;
  beforeAll(async () => {
    folder = await openMeaningVault(NOTES);
    expect(await folder.embedded()).toBe(true);
  });
  afterAll(() => folder.close());

  it('bring up the note that is meant', async () => {
    expect(CASES).toHaveLength(60);
    const ranks = await Promise.all(
      CASES.map(async ({ kind, query, path }) => {
        const { hits } = await folder.ask([
          { type: 'lex', query },
          { type: 'vec', query },
        ]);
        const at = hits.findIndex(({ row }) => row.path === path);
        return { kind, query, path, rank: at < 0 ? Number.POSITIVE_INFINITY : at + 1 };
      }),
    );
    const within = (rank: number) => ranks.filter((one) => one.rank <= rank).length;
    const missed = ranks.filter(({ rank }) => rank > 1);
    expect(within(1), JSON.stringify(missed, null, 1)).toBeGreaterThanOrEqual(FIRST);
    expect(within(3), JSON.stringify(missed, null, 1)).toBeGreaterThanOrEqual(AMONG_THREE);
  });
});
