import { GroveError } from '@grove/core';

// A smaller note is retyped as easily as it is edited, and what it loses is plain to see.
const SOME_LINES = 8;
const SOME_CHARACTERS = 800;

/**
 * Refuses a new body that is empty or less than half as long as an old one of some size, in lines that are not
 * blank or in characters: `would_shrink`. A shorter note that is meant is written with `overwrite`.
 */
export function refuseShrinking(before: string, after: string, path: string): void {
  const old = sizeOf(before);
  const now = sizeOf(after);
  if (old.lines === 0) return;
  if (now.lines === 0 || (old.lines >= SOME_LINES && now.lines * 2 < old.lines))
    throw new GroveError('would_shrink', { path, before: old.lines, after: now.lines, unit: 'lines' });
  if (old.characters >= SOME_CHARACTERS && now.characters * 2 < old.characters)
    throw new GroveError('would_shrink', {
      path,
      before: old.characters,
      after: now.characters,
      unit: 'characters',
    });
}

function sizeOf(text: string): { lines: number; characters: number } {
  let lines = 0;
  let characters = 0;
  for (const line of text.split('\n')) {
    const length = line.trim().length;
    if (length > 0) lines += 1;
    characters += length;
  }
  return { lines, characters };
}
