import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@grove/core';

const POLL_MS = 10;

/**
 * Waits until a process is gone, so that the kernel has closed all of its files. Its connections break first, its
 * locks fall one after the other: who comes between them finds the vault free and the index locked. A process that
 * its parent does not collect is not waited for longer than `patienceMs`.
 */
export async function waitForEnd(pid: number, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (isAlive(pid) && Date.now() < deadline) await sleep(POLL_MS);
}

/** True when a process of this id is there, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
