import { acceptDiskPath, isGroveError, type VaultPath } from '@grove/core';

/** Those of some paths that are notes. */
export function notesOf(paths: readonly string[]): readonly VaultPath[] {
  return paths.flatMap((path) => {
    try {
      return [acceptDiskPath(path)];
    } catch (error) {
      if (isGroveError(error, 'bad_path')) return [];
      throw error;
    }
  });
}
