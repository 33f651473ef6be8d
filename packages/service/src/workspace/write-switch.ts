import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, writeDurably } from '@grove/core';
import { z } from 'zod';

/** Whether a vault may be written, as its owner decided; off until then. */
export interface WriteSwitch {
  readonly on: boolean;
  /** Turns it on or off, for every client at once and for later starts. */
  turn(on: boolean): Promise<void>;
  /** Hears of each change. Answers how to stop that. */
  onChange(listener: (on: boolean) => void): () => void;
}

const FILE = 'writes.json';
const STATE = z.object({ on: z.boolean() });

/**
 * Reads the write switch of a vault from `writes.json` in its state folder. A file that is not there or cannot be
 * understood means off.
 *
 * @example (await openWriteSwitch(stateDir)).on // false
 */
export async function openWriteSwitch(stateDir: string): Promise<WriteSwitch> {
  const path = join(stateDir, FILE);
  let on = await readState(path);
  let turning: Promise<void> = Promise.resolve();
  const listeners = new Set<(on: boolean) => void>();
  const turn = async (wanted: boolean): Promise<void> => {
    await writeDurably(path, `${JSON.stringify({ on: wanted })}\n`, 0o600);
    if (on === wanted) return;
    on = wanted;
    for (const listener of [...listeners]) listener(wanted);
  };
  return {
    get on() {
      return on;
    },
    turn: (wanted) => {
      turning = turning.catch(() => {}).then(() => turn(wanted));
      return turning;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

async function readState(path: string): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    return STATE.parse(JSON.parse(text)).on;
  } catch (error) {
    // Half a file, or another program's: nobody switched writing on by that.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return false;
    throw error;
  }
}
