import { describe, expect, it } from 'vitest';
import { WriteQueue } from './write-queue.ts';

describe('a write queue', () => {
  it('runs one at a time in the order of arrival, also after one that fails', async () => {
    const queue = new WriteQueue(10);
    const told: string[] = [];
    let running = 0;
    const work = (name: string) => async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      told.push(name);
      running -= 1;
      if (name === 'b') throw new Error('no');
      return name;
    };
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue.run(work(name))));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(told).toEqual(['a', 'b', 'c']);
    expect(queue.length).toBe(0);
  });

  it('tells how many wait, since when, and how long all waited', async () => {
    const queue = new WriteQueue(10);
    expect(queue.state()).toEqual({ waiting: 0, oldestMs: 0, begun: 0, waitedMs: 0 });
    let free = () => {};
    const first = queue.run(() => new Promise<void>((resolve) => (free = resolve)));
    const second = queue.run(async () => {});
    await expect.poll(() => queue.state().oldestMs).toBeGreaterThan(10);
    expect(queue.state()).toMatchObject({ waiting: 2, begun: 1 });
    free();
    await Promise.all([first, second]);
    const { waitedMs, ...left } = queue.state();
    expect(left).toEqual({ waiting: 0, oldestMs: 0, begun: 2 });
    expect(waitedMs).toBeGreaterThan(10);
  });

  it('refuses what is beyond its limit, and takes more when there is room', async () => {
    const queue = new WriteQueue(2);
    let free = () => {};
    const first = queue.run(() => new Promise<void>((resolve) => (free = resolve)));
    const second = queue.run(async () => {});
    await expect(queue.run(async () => {})).rejects.toMatchObject({ code: 'write_queue_full', status: 503 });
    free();
    await Promise.all([first, second]);
    await expect(queue.run(async () => 'taken')).resolves.toBe('taken');
  });

  it('finishes what it accepted when it is closed', async () => {
    const queue = new WriteQueue(5);
    let done = false;
    const work = queue.run(async () => {
      await Promise.resolve();
      done = true;
    });
    await queue.close();
    expect(done).toBe(true);
    await work;
    await expect(queue.run(async () => {})).rejects.toMatchObject({ code: 'stopping' });
  });
});
