import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, randomId } from '@grove/core';

const KEY_BYTES = 32;
const KEY_FILE = 'cursor.key';

/**
 * The key that seals this vault's cursors: 32 random bytes, made on first use and kept with its state, so that a
 * cursor outlives a restart. A file of another length is replaced.
 */
export async function readCursorKey(stateDir: string): Promise<Uint8Array> {
  const path = join(stateDir, KEY_FILE);
  const known = await readKey(path);
  if (known?.length === KEY_BYTES) return known;
  if (known !== null) await rm(path, { force: true });
  const key = randomBytes(KEY_BYTES);
  const fresh = join(stateDir, `.${randomId()}.tmp`);
  await writeFile(fresh, key, { mode: 0o600 });
  try {
    await link(fresh, path);
    return key;
  } catch (error) {
    // Another process was first, or the file system has no hard links.
    const theirs = await readKey(path);
    if (theirs?.length === KEY_BYTES) return theirs;
    if (errorCode(error) === 'EEXIST') throw error;
    await writeFile(path, key, { mode: 0o600 });
    return key;
  } finally {
    await rm(fresh, { force: true });
  }
}

async function readKey(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
