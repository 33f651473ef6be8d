import { join } from 'node:path';
import { errorCode, readKeyFile } from '@grove/core';
import { unavailable } from './faults.ts';

const KEY_FILE = 'trailers.key';

/**
 * The secret that Grove's trailers are signed with: 32 bytes in `<stateDir>/trailers.key` (mode 0600), made on
 * first use. With another one, trailers written before are no longer believed; nothing else changes.
 *
 * @returns the key, and whether it was there before
 * @throws GroveError `ledger_unavailable`
 */
export function readTrailerKey(stateDir: string): { readonly key: Buffer; readonly known: boolean } {
  try {
    return readKeyFile(join(stateDir, KEY_FILE));
  } catch (error) {
    throw unavailable(
      `the key of its signatures cannot be read or made (${errorCode(error) ?? 'unknown error'})`,
      error,
    );
  }
}
