import { GroveError } from '@grove/core';
import type { MODES, VaultStatusInput } from './contract.ts';

type Mode = (typeof MODES)[number];

/** What each mode takes beside `mode`. */
const TAKEN: Readonly<Record<Mode, readonly (keyof VaultStatusInput)[]>> = {
  health: ['path'],
  history: ['path', 'since', 'by', 'diff', 'limit', 'cursor'],
  graph: ['path', 'to', 'depth', 'limit'],
  digest: ['limit'],
  diagnostics: ['path', 'limit'],
};

/**
 * What would be passed over in silence is refused.
 *
 * @throws GroveError `bad_input`
 */
export function checkMode(input: VaultStatusInput): void {
  const { mode, path, to, depth } = input;
  for (const [name, value] of Object.entries(input)) {
    const isGiven = name !== 'mode' && value !== null && value !== false;
    if (isGiven && !isTakenBy(mode, name)) throw refused(name, `"${name}" is for mode ${takenIn(name)}`);
  }
  if (path === null && to !== null) throw refused('to', '"to" needs "path", where the way begins');
  if (path === null && depth !== null) throw refused('depth', '"depth" needs "path", the note in the middle');
  if (to !== null && depth !== null)
    throw refused('depth', 'send "to" for a way or "depth" for what is near');
}

function isTakenBy(mode: Mode, name: string): boolean {
  return TAKEN[mode].some((taken) => taken === name);
}

function takenIn(name: string): string {
  return (Object.keys(TAKEN) as Mode[]).filter((mode) => isTakenBy(mode, name)).join(' or ');
}

function refused(name: string, reason: string): GroveError {
  return new GroveError('bad_input', { name, reason });
}
