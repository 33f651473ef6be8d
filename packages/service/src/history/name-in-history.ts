import type { NoteRow } from '@grove/vault';
import type { VaultPast } from '../contract.ts';

/** A note's path as its history spells it: a Mac's git may hold either Unicode form. */
export function nameInHistory({ history }: VaultPast, { path, diskPath }: NoteRow): string {
  return isInHistory(history, path) || !isInHistory(history, diskPath) ? path : diskPath;
}

/** True for a path that some commit changed. */
export function isInHistory(history: VaultPast['history'], path: string): boolean {
  return history.log(path, { limit: 1 }).entries.length > 0;
}
