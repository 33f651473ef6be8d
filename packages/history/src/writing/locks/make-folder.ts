import { dirname } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';

/** Where a folder may be made, and what is done with each new one. */
export interface FolderMaking {
  readonly fs: WriteFs;
  /** This one must be there (`ENOENT`): where a disk is not mounted nothing may be made in its place. */
  readonly top: string;
  /** Hears of each new folder, the topmost first. */
  readonly made?: ((path: string) => Promise<void>) | undefined;
}

const TRIES = 10;

/** Makes a folder and those above it that are missing. */
export async function makeFolder(path: string, making: FolderMaking): Promise<void> {
  try {
    await making.fs.mkdir(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === making.top) throw error;
    await makeFolder(dirname(path), making);
    return makeFolder(path, making);
  }
  await making.made?.(path);
}

/**
 * Does something that needs a folder, which is made where it is missing: as often as somebody removes it
 * between, for git takes folders away that it finds empty ("git gc" those of objects and refs).
 */
export async function inFolder<Result>(
  path: string,
  making: FolderMaking,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === TRIES) throw error;
      await makeFolder(path, making);
    }
  }
}
