import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from './errors.ts';
import { randomId } from './ids.ts';
import { hasNoLinks } from './links.ts';
import { syncFolderNow } from './sync-folder.ts';

const KEY_BYTES = 32;

/**
 * The secret in a file: 32 random bytes (mode 0600), made and synced on first use. A file of another length was cut
 * off, and is replaced. Of two processes that make one at once, one wins and both have it.
 *
 * @returns the key, and whether it was there before
 * @throws what the system answers
 * @example readKeyFile(join(stateDir, 'cursor.key')).key.length // 32
 */
export function readKeyFile(path: string): { readonly key: Buffer; readonly known: boolean } {
  const found = bytesOf(path);
  if (found?.length === KEY_BYTES) return { key: found, known: true };
  if (found !== null) rmSync(path, { force: true });
  const key = randomBytes(KEY_BYTES);
  const fresh = join(dirname(path), `.${randomId()}.tmp`);
  try {
    writeSynced(fresh, key);
    publish(fresh, path, key);
  } catch (error) {
    const theirs = errorCode(error) === 'EEXIST' ? bytesOf(path) : null;
    if (theirs?.length !== KEY_BYTES) throw error;
    return { key: theirs, known: true };
  } finally {
    rmSync(fresh, { force: true });
  }
  syncFolderNow(dirname(path));
  return { key, known: false };
}

function publish(fresh: string, path: string, key: Buffer): void {
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

function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
