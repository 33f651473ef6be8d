import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../engine/native-engine.ts';
import { openPatiently } from './open-patiently.ts';

describe('opening an index whose last owner is just ending', () => {
  it('waits for the lock instead of failing', async () => {
    const dir = temporaryFolder('lock');
    const first = await nativeEngine.open(dir);
    await expect(nativeEngine.open(dir)).rejects.toMatchObject({ code: 'index_locked' });
    const second = openPatiently(nativeEngine, dir);
    await sleep(120);
    await first.close();
    const index = await second;
    expect(index.documentCount).toBe(0);
    await index.close();
  });
});
