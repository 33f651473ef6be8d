import { GroveError, isGroveError, type VaultPath } from '@grove/core';
import type { NoteWriteCaller } from './contract.ts';
import { notWritable } from './write-policy.ts';

/** What the disk says of a path that a narrower View may not hear of. */
const SAYS_WHAT_IS_THERE = new Set(['path_taken', 'path_refused', 'folder_is_file', 'write_conflict']);

/** Facts that hold text of a note. */
const TEXT_FACTS = new Set(['diff', 'nearest', 'candidates', 'line', 'lines']);

/**
 * An error as this caller may hear it: without what stands beside the path where the View does not show it, and
 * without words of the note where the caller may not read.
 */
export function asCallerSees(error: unknown, { view, may }: NoteWriteCaller): unknown {
  if (!isGroveError(error)) return error;
  const { path, twin, folder } = error.data;
  if (SAYS_WHAT_IS_THERE.has(error.code) && !view.isOwner) {
    const named = [path, twin, folder].filter((name) => typeof name === 'string');
    const isShown = named.some((name) => view.get(name as VaultPath) !== null);
    if (!isShown) return notWritable(String(path ?? ''));
  }
  if (may.read || !Object.keys(error.data).some((name) => TEXT_FACTS.has(name))) return error;
  const data = Object.fromEntries(Object.entries(error.data).filter(([name]) => !TEXT_FACTS.has(name)));
  return new GroveError(error.code, data, { cause: error });
}
