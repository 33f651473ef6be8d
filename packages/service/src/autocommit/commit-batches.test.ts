import { parseVaultPath } from '@grove/core';
import { expect, it } from 'vitest';
import { commitBatches } from './commit-batches.ts';
import type { OutsideChange } from './outside-changes.ts';

const change = (path: string, now: string | null, committed: string | null, size = 1): OutsideChange => ({
  path: parseVaultPath(path),
  now,
  committed,
  size,
});

it('a commit holds so many notes and bytes at most, and every change is in one', () => {
  const many = Array.from({ length: 1_203 }, (_, i) => change(`${i}.md`, `${i}`, null));
  const batches = commitBatches(many);
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200, 200, 3]);
  expect(batches.flat()).toEqual(many);
  const large = Array.from({ length: 4 }, (_, i) => change(`${i}.md`, `${i}`, null, 3 * 1024 * 1024));
  expect(commitBatches(large).map(({ length }) => length)).toEqual([2, 2]);
  expect(commitBatches([])).toEqual([]);
});

it('a note that was moved is in one commit with the path that it left', () => {
  const gone = Array.from({ length: 300 }, (_, i) => change(`a/${i}.md`, null, `${i % 200}`));
  const added = Array.from({ length: 400 }, (_, i) => change(`z/${i}.md`, `${i % 250}`, null));
  const batches = commitBatches([...gone, ...added]);
  expect(batches.flat()).toHaveLength(700);
  expect(new Set(batches.flat()).size).toBe(700);
  const batchOf = (wanted: OutsideChange) => batches.findIndex((batch) => batch.includes(wanted));
  const moves = added.filter(({ now }) => Number(now) < 200);
  const left = new Set(gone.slice(0, 200).map(batchOf));
  expect(moves.length).toBeGreaterThan(200);
  expect(left.size).toBeGreaterThan(0);
  for (const [first, second] of pairs(batches.flat().slice(0, 600))) {
    expect(first.committed).toBe(second.now);
    expect(batchOf(first)).toBe(batchOf(second));
  }
});

function pairs(list: readonly OutsideChange[]): [OutsideChange, OutsideChange][] {
  return Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i]!, list[2 * i + 1]!]);
}
