import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomId } from './ids.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Replaces a small file so that after a crash or a power loss either the old or the new content is there, whole.
 *
 * @param mode the permissions of the new file, less the umask
 * @throws what the system answers; the old file stands then
 * @example await writeDurably(join(stateDir, 'writes.json'), '{"on":true}\n', 0o600)
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const fresh = `${path}.${randomId()}.new`;
  try {
    const handle = await open(fresh, 'wx', mode);
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
