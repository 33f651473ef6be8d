import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { FreshEmpties } from './fresh-empties.ts';

function row(id: number, words: number, readAt = 0): CatalogRow {
  const facts = { id, words, readAt, diskPath: `${id}.md`, tags: [], frontmatterStatus: 'none' };
  return facts as Partial<CatalogRow> as CatalogRow;
}

describe('notes that became empty', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  function open(
    rows: readonly CatalogRow[] = [],
    look: (paths: readonly string[]) => Promise<void> = async () => {},
  ) {
    const settled: number[] = [];
    const empties = new FreshEmpties(rows, { look, settled: (ids) => void settled.push(...ids) });
    return { empties, settled };
  }

  it('are fresh for two seconds, and looked at again before they are not', async () => {
    const looked: string[] = [];
    const { empties, settled } = open([], async (paths) => void looked.push(...paths));
    empties.update([{ before: row(1, 5), after: row(1, 0) }]);
    empties.update([{ before: null, after: row(2, 0) }]);
    empties.update([{ before: row(3, 5), after: row(3, 4) }]);
    expect([1, 2, 3].map((id) => empties.has(id))).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(1_900);
    expect([looked, settled]).toEqual([[], []]);
    // Another look at the same bytes begins nothing anew.
    empties.update([{ before: row(1, 0), after: row(1, 0) }]);
    await vi.advanceTimersByTimeAsync(200);
    expect([looked, settled]).toEqual([
      ['1.md', '2.md'],
      [1, 2],
    ]);
    expect([1, 2].map((id) => empties.has(id))).toEqual([false, false]);
  });

  it('are judged by what the second look finds', async () => {
    const { empties, settled } = open([], async () => {
      empties.update([{ before: row(1, 0), after: row(1, 7) }]);
      empties.update([{ before: row(2, 0), after: null }]);
    });
    empties.update([
      { before: row(1, 5), after: row(1, 0) },
      { before: row(2, 5), after: row(2, 0) },
    ]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([settled, empties.has(1), empties.has(2)]).toEqual([[], false, false]);
  });

  it('stay fresh where nobody can look', async () => {
    let isAway = true;
    const { empties, settled } = open([], async () => {
      if (isAway) throw new Error('the folder is away');
    });
    empties.update([{ before: row(1, 5), after: row(1, 0) }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([settled, empties.has(1)]).toEqual([[], true]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([settled, empties.has(1)]).toEqual([[1], false]);
  });

  it('are fresh for a few seconds more where the clock is put back', async () => {
    const { empties, settled } = open([row(1, 0, 999_500)]);
    empties.update([{ before: row(2, 5), after: row(2, 0) }]);
    vi.setSystemTime(1_000);
    await vi.advanceTimersByTimeAsync(6_000);
    expect([settled.toSorted(), empties.has(1), empties.has(2)]).toEqual([[1, 2], false, false]);
  });

  it('are those too that were read just before Grove ended', async () => {
    const { empties, settled } = open([row(1, 0, 999_500), row(2, 0, 900_000), row(3, 9, 999_999)]);
    expect([1, 2, 3].map((id) => empties.has(id))).toEqual([true, false, false]);
    empties.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(settled).toEqual([]);
  });
});
