import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually, pathsOf, temporaryVault } from '../testing/temporary-vault.ts';

describe('a listener that takes its time', () => {
  it('is at most one delta behind the catalog, and whoever waits for it waits for all that the catalog has', async () => {
    await using folder = await temporaryVault({});
    const vault = await folder.open({ poll: true });
    const heard: string[] = [];
    const gates: (() => void)[] = [];
    vault.onDelta(async (delta) => {
      const gate = Promise.withResolvers<void>();
      gates.push(gate.resolve);
      await gate.promise;
      heard.push(...delta.upserted.map(({ path }) => path));
    });
    for (let count = 10; count < 50; count += 1) await folder.write(`Note ${count}.md`, `text ${count}`);
    const whole = vault.reconcile();
    await eventually(() => gates.length === 1);
    // Time enough to read and parse what follows.
    await setTimeout(200);
    const [first, ...more] = gates;
    expect(more).toEqual([]);
    const known = pathsOf(vault);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThan(40);
    let isDelivered = false;
    const delivered = vault.delivered().then(() => {
      isDelivered = true;
    });
    await setTimeout(20);
    expect(isDelivered).toBe(false);
    first?.();
    await delivered;
    expect(heard).toEqual(known);
    let opened = 1;
    const opening = eventually(() => {
      for (; opened < gates.length; opened += 1) gates[opened]?.();
      return heard.length === 40;
    });
    await Promise.all([whole, opening]);
    expect(heard).toEqual(pathsOf(vault));
  });
});
