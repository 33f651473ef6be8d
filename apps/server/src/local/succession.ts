import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, randomId } from '@grove/core';
import * as z from 'zod';
import { isAlive } from './process-end.ts';

const NOTE = z.object({ pid: z.number().int(), until: z.number() });
const FILE = 'successor.json';

/**
 * Says for whom the vault is given up, so that the bridges which notice leave it to that process. The word holds
 * for a while only, in case the successor never comes.
 *
 * @param stateDir the vault's state folder
 */
export function nameSuccessor(stateDir: string, pid: number, holdsMs: number, now: number): void {
  const fresh = join(stateDir, `.${randomId()}.tmp`);
  writeFileSync(fresh, JSON.stringify({ pid, until: now + holdsMs }), { mode: 0o600 });
  renameSync(fresh, join(stateDir, FILE));
}

/** True while another living process is expected to take the vault. */
export function awaitsSuccessor(stateDir: string, now: number, self = process.pid): boolean {
  let text: string;
  try {
    text = readFileSync(join(stateDir, FILE), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  const note = parse(text);
  return note !== null && note.pid !== self && note.until > now && isAlive(note.pid);
}

/** Takes the word back; the successor calls it once it owns the vault. */
export function clearSuccessor(stateDir: string): void {
  rmSync(join(stateDir, FILE), { force: true });
}

function parse(text: string): z.infer<typeof NOTE> | null {
  try {
    return NOTE.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
