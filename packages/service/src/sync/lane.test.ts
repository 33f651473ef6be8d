import { expect, it } from 'vitest';
import type { SyncProblem } from './contract.ts';
import { Lane } from './lane.ts';

const problem = (since: number, code = 'remote_unreachable'): SyncProblem => ({
  code,
  message: 'M',
  hint: 'H',
  since,
});
const waitOf = (lane: Lane): number => (lane.due ?? Number.NaN) - performance.now();

it('a lane waits twice as long after each failure, at most the longest, whatever is planned meanwhile', () => {
  const lane = new Lane({ firstMs: 10_000, longestMs: 60_000 });
  for (const around of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    lane.failed(problem(1));
    lane.plan(0);
    expect(waitOf(lane)).toBeGreaterThan(0.75 * around);
    expect(waitOf(lane)).toBeLessThanOrEqual(1.2 * around);
    expect(lane.isDue).toBe(false);
  }
  lane.begin();
  lane.succeeded();
  expect([lane.due, lane.problem]).toEqual([null, null]);
  lane.plan(0);
  expect(lane.isDue).toBe(true);
});

it('a lane keeps what was planned while a try that went well was under way, and nothing of before', () => {
  const lane = new Lane();
  lane.plan(0);
  lane.begin();
  lane.succeeded();
  expect(lane.due).toBeNull();
  lane.plan(0);
  lane.begin();
  lane.plan(10_000);
  lane.succeeded();
  expect(waitOf(lane)).toBeGreaterThan(5_000);
  lane.clear();
  expect(lane.due).toBeNull();
});

it('a lane goes to the longest wait at once where trying again soon is of no use', () => {
  const lane = new Lane({ firstMs: 10, longestMs: 60_000 });
  lane.failed(problem(1), { afterLongest: true });
  expect(waitOf(lane)).toBeGreaterThan(45_000);
});

it('a lane tells since when the same failure goes on, and begins anew with another', () => {
  const lane = new Lane();
  lane.failed(problem(1));
  lane.failed(problem(2));
  expect(lane.problem?.since).toBe(1);
  lane.failed(problem(3, 'remote_sign_in'));
  expect(lane.problem).toMatchObject({ code: 'remote_sign_in', since: 3 });
  lane.clear();
  expect([lane.problem, lane.due]).toEqual([null, null]);
});

it('a lane is put off by each plan, ten times at most', () => {
  const lane = new Lane();
  lane.plan(20_000);
  const first = lane.due!;
  lane.plan(20_000);
  expect(lane.due!).toBeGreaterThanOrEqual(first);
  lane.plan(500_000);
  expect(lane.due!).toBeGreaterThan(first + 400_000);
  lane.plan(1);
  expect(lane.due!).toBeLessThanOrEqual(first);
});

it('a lane is put off no further by tries that somebody asked for', () => {
  const lane = new Lane({ firstMs: 60_000, longestMs: 600_000 });
  lane.failed(problem(1), { isAskedFor: true });
  const { due } = lane;
  for (let count = 0; count < 9; count += 1) lane.failed(problem(2, 'remote_sign_in'), { isAskedFor: true });
  expect([lane.due, lane.problem?.code]).toEqual([due, 'remote_sign_in']);
  lane.failed(problem(3));
  expect(waitOf(lane)).toBeLessThan(150_000);
});
