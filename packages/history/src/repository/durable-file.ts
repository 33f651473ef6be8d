import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, randomId } from '@grove/core';

/** Replaces a file so that after a crash either the old or the new content is there, whole. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const fresh = `${path}.${randomId()}.new`;
  try {
    const handle = await open(fresh, 'wx', 0o644);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Windows and some network file systems cannot sync a folder; the rename stands all the same.
    const code = errorCode(error);
    if (code !== 'EISDIR' && code !== 'EPERM' && code !== 'EINVAL' && code !== 'EACCES') throw error;
  }
}
