import { isGroveError } from '@grove/core';
import type { NoteRow, ServedNote, View } from '@grove/vault';

/** Reads a note for an answer about several: one that vanished or can no longer be read meanwhile is null. */
export async function readIfThere(view: View, row: NoteRow): Promise<ServedNote | null> {
  try {
    return await view.read(row);
  } catch (error) {
    if (isGroveError(error, 'note_not_found') || isGroveError(error, 'note_not_text')) return null;
    if (isGroveError(error, 'note_too_large')) return null;
    throw error;
  }
}

/** Maps a list with at most `width` at work at once, keeping its order. */
export async function mapBounded<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
