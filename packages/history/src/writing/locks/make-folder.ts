import { dirname } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';

/**
 * Makes a folder and those above it that are missing, up to `top`, which must be there (`ENOENT`): where a
 * disk is not mounted nothing may be made in its place. `made` hears of each new one, the topmost first.
 */
export async function makeFolder(
  fs: WriteFs,
  path: string,
  top: string,
  made: (path: string) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await fs.mkdir(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === top) throw error;
    await makeFolder(fs, dirname(path), top, made);
    return makeFolder(fs, path, top, made);
  }
  await made(path);
}
