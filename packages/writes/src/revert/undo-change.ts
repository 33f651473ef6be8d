import { isGroveError } from '@grove/core';
import { decodeNote, mergeTexts } from '@grove/markdown';

/** What became of undoing one change: the file without it, or why it stays. */
export type Undone = { readonly bytes: Uint8Array | null } | { readonly reason: string };

/**
 * Takes one change back out of a file. Where the file is still what the change made, what was before comes back;
 * where somebody changed it since, their changes stay, and where the two cannot be told apart nothing is undone.
 * Null stands for no file.
 */
export function undoChange(
  now: Uint8Array | null,
  before: Uint8Array | null,
  after: Uint8Array | null,
): Undone {
  if (same(now, before)) return { bytes: now };
  if (same(now, after)) return { bytes: before };
  if (now === null) return { reason: 'the note was removed since' };
  if (after === null) return { reason: 'there is a note at that path again' };
  if (before === null) return { reason: 'somebody changed the note since it was made' };
  return undoInText(now, before, after);
}

function undoInText(now: Uint8Array, before: Uint8Array, after: Uint8Array): Undone {
  const texts = [now, before, after].map(textOf);
  const [own, old, made] = texts;
  if (own == null || old == null || made == null) return { reason: 'the note is not UTF-8 text' };
  // Where git stores other line breaks than the file has, they are no change.
  const onDisk = isAllCrlf(own) && !old.includes('\r') && !made.includes('\r') ? withCrlf : unchanged;
  const merged = mergeTexts(onDisk(made), own, onDisk(old));
  if (merged === null) return { reason: 'somebody changed the same lines since' };
  return { bytes: Buffer.from(merged) };
}

function same(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

/** Null for what is no text. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decodeNote(bytes).text;
  } catch (error) {
    if (isGroveError(error, 'note_not_text')) return null;
    throw error;
  }
}

function isAllCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

function withCrlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

function unchanged(text: string): string {
  return text;
}
