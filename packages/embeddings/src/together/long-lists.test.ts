import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerWith } from '../testing/embedding-server.ts';
import { openServedVault, type ServedVault } from '../testing/served-vault.ts';

/** More than twice what a list is read to when no page goes further down. */
const NOTES = 700;
const PAGE = 100;

describe('what a long list by words and one by meaning come to', () => {
  let served: ServedVault;
  beforeAll(async () => {
    const notes: Record<string, string> = {};
    for (let at = 0; at < NOTES; at++)
      notes[`${at % 7}/n${at}.md`] =
        `${'heron '.repeat(1 + (at % 11))}${'reed '.repeat(at % 13)} number ${at}`;
    served = await openServedVault(notes);
  }, 240_000);
  afterAll(() => served.close());

  const pathsOf = async (query: string, offset: number, limit: number) => {
    const searches = [{ type: 'lex', query: 'heron' } as const, { type: 'vec', query } as const];
    const { hits, remarks } = await served.folder.ask(searches, { offset, limit });
    return { paths: hits.map(({ row }) => row.path), remarks: remarks.join('\n') };
  };
  const paged = async (query: string) => {
    const paths: string[] = [];
    for (let offset = 0; offset < NOTES; offset += PAGE)
      paths.push(...(await pathsOf(query, offset, PAGE)).paths);
    return paths;
  };

  it('is the same page by page as in one go', async () => {
    const whole = await pathsOf('a bird by the lake', 0, NOTES);
    expect(whole.remarks).toBe('');
    expect(new Set(whole.paths).size).toBe(NOTES);
    expect(await paged('a bird by the lake')).toEqual(whole.paths);
  });

  it('is so too while the model does not answer', async () => {
    served.server.next(...Array.from({ length: 100 }, () => answerWith(401, { error: {} })));
    const whole = await pathsOf('the reeds of number 3', 0, NOTES);
    expect(whole.remarks).toContain('vec was answered by words');
    expect(new Set(whole.paths).size).toBe(NOTES);
    expect(await paged('the reeds of number 3')).toEqual(whole.paths);
  });
});
