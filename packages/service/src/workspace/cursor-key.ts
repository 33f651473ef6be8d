import { join } from 'node:path';
import { readKeyFile } from '@grove/core';

const KEY_FILE = 'cursor.key';

/**
 * The key that seals this vault's cursors, made on first use and kept with its state, so that a cursor outlives a
 * restart.
 */
export async function readCursorKey(stateDir: string): Promise<Uint8Array> {
  return readKeyFile(join(stateDir, KEY_FILE)).key;
}
