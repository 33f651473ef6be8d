import { GroveError } from '@grove/core';

/** Most bytes that one operation may bring along. */
const PAYLOAD_BYTES = 100 * 1024;
/** Most bytes that a note may have after a write, unless it had more before and does not grow. */
const NOTE_BYTES = 1024 * 1024;
const BATCH_OPERATIONS = 100;
/** Most bytes that all operations of a batch may bring along. */
export const BATCH_BYTES = 4 * 1024 * 1024;

/** Throws `payload_too_large` for an operation that brings more than {@link PAYLOAD_BYTES}. */
export function checkPayload(bytes: number): void {
  if (bytes > PAYLOAD_BYTES) throw new GroveError('payload_too_large', { size: bytes, limit: PAYLOAD_BYTES });
}

/** Throws `batch_too_large` for more operations, or more bytes, than one batch may hold. */
export function checkBatch(operations: number, bytes: number): void {
  if (operations > BATCH_OPERATIONS)
    throw new GroveError('batch_too_large', {
      reason: `it has ${operations} operations, and at most ${BATCH_OPERATIONS} are taken`,
    });
  if (bytes > BATCH_BYTES)
    throw new GroveError('batch_too_large', {
      reason: `it has ${bytes} bytes, and at most ${BATCH_BYTES} are taken`,
    });
}

/** Throws `note_would_be_too_large`. A note that is too large already may be edited as long as it does not grow. */
export function checkNoteSize(path: string, before: number | null, after: number): void {
  if (isTooLarge(before, after))
    throw new GroveError('note_would_be_too_large', { path, size: after, limit: NOTE_BYTES });
}

/** True for a note that may not become this large. */
export function isTooLarge(before: number | null, after: number): boolean {
  return after > NOTE_BYTES && (before === null || after > before);
}
