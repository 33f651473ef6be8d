import { expect, it } from 'vitest';
import { Slices } from './slices.ts';

it('lets what waits have its turn, and ends work that was called off', async () => {
  const stop = new AbortController();
  const slices = new Slices(stop.signal);
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  while (!slices.spent);
  await slices.rest();
  expect([turns, slices.spent]).toEqual([1, false]);
  stop.abort(new Error('not wanted'));
  await expect(slices.rest()).rejects.toThrow('not wanted');
});
