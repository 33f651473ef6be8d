import { hash } from 'node:crypto';
import { unwritable } from '../write-failure.ts';

/** Bytes of the sum at the end of an index (gitformat-index). */
export const SUM_BYTES = 20;

/** Throws `repository_unwritable` unless the file ends in its own SHA-1, or in zeros (index.skipHash). */
export function checkIndexSum(bytes: Buffer): void {
  const sum = bytes.subarray(bytes.length - SUM_BYTES);
  if (!isSkipped(sum) && !sumOf(bytes).equals(sum)) throw unwritable(DAMAGED);
}

/**
 * Writes the sum at the end of an index: zeros where the one `before` it ends in zeros, for then the user has told
 * git to spare itself the work, else its SHA-1.
 */
export function closeIndex(bytes: Buffer, before: Buffer): void {
  const sum = bytes.subarray(bytes.length - SUM_BYTES);
  if (isSkipped(before.subarray(before.length - SUM_BYTES))) sum.fill(0);
  else sum.set(sumOf(bytes));
}

/** The sentence of an index that is not one. */
export const DAMAGED = 'its index is damaged; "git status" in the vault folder says more';

function sumOf(bytes: Buffer): Buffer {
  return hash('sha1', bytes.subarray(0, bytes.length - SUM_BYTES), 'buffer');
}

function isSkipped(sum: Buffer): boolean {
  return sum.every((byte) => byte === 0);
}
