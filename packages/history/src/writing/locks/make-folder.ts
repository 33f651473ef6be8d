import { dirname } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';

/** Makes a folder and those above it that are missing. `made` hears of each one, the topmost first. */
export async function makeFolder(
  fs: WriteFs,
  path: string,
  made: (path: string) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await fs.mkdir(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    await makeFolder(fs, dirname(path), made);
    await makeFolder(fs, path, made);
    return;
  }
  await made(path);
}
