import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@grove/core';
import type { LexicalEngine, LexicalIndex } from '../engine/port.ts';

/** Milliseconds for which a writer's lock that is still held is waited for, and between attempts. */
const LOCK_PATIENCE = 5000;
const ATTEMPT_INTERVAL = 50;

/**
 * Opens the index. The vault has one owner, so that a lock of the index that is still held belongs to an owner
 * that has just ended: the kernel frees the locks of a killed process one after the other.
 */
export async function openPatiently(engine: LexicalEngine, dir: string): Promise<LexicalIndex> {
  const attempts = LOCK_PATIENCE / ATTEMPT_INTERVAL;
  for (let attempt = 1; ; attempt++) {
    try {
      return await engine.open(dir);
    } catch (error) {
      if (errorCode(error) !== 'index_locked' || attempt >= attempts) throw error;
      await sleep(ATTEMPT_INTERVAL);
    }
  }
}
