import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, hasNoLinks, randomId, syncFolderNow } from '@grove/core';
import { unavailable } from './faults.ts';

const KEY_FILE = 'trailers.key';
const KEY_BYTES = 32;

/**
 * The secret that Grove's trailers are signed with: 32 bytes in `<stateDir>/trailers.key` (mode 0600), made on
 * first use. With another one, trailers written before are no longer believed; nothing else changes.
 *
 * @returns the key, and whether it was there before
 * @throws GroveError `ledger_unavailable`
 */
export function readTrailerKey(stateDir: string): { readonly key: Buffer; readonly known: boolean } {
  const path = join(stateDir, KEY_FILE);
  const found = readKey(path);
  if (found !== null) return { key: found, known: true };
  const key = randomBytes(KEY_BYTES);
  const fresh = join(stateDir, `.${randomId()}.tmp`);
  try {
    writeSynced(fresh, key);
    publish(fresh, path, key);
    syncFolderNow(stateDir);
  } catch (error) {
    throw unavailable(
      `the key of its signatures cannot be kept (${errorCode(error) ?? 'unknown error'})`,
      error,
    );
  } finally {
    rmSync(fresh, { force: true });
  }
  return { key, known: false };
}

function publish(fresh: string, path: string, key: Buffer): void {
  // One of a wrong size was cut off by a crash: nothing was signed with it.
  rmSync(path, { force: true });
  try {
    linkSync(fresh, path);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    writeSynced(path, key);
  }
}

function writeSynced(path: string, key: Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, key);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readKey(path: string): Buffer | null {
  try {
    const key = readFileSync(path);
    return key.length === KEY_BYTES ? key : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw unavailable(
      `the key of its signatures cannot be read (${errorCode(error) ?? 'unknown error'})`,
      error,
    );
  }
}
