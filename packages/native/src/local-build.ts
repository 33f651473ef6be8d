import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceHash } from './source-hash.ts';

/** Where a build on this machine is put, relative to the package. */
export const LOCAL_BUILD = 'local/grove_native.node';
/** The hash of the sources it was made from. */
export const LOCAL_SOURCES = 'local/sources.sha256';

/** Whether there is a local build and it was made from the sources as they are now. */
export function localIsCurrent(packageDir: string): boolean {
  const sources = join(packageDir, LOCAL_SOURCES);
  if (!existsSync(join(packageDir, LOCAL_BUILD)) || !existsSync(sources)) return false;
  return readFileSync(sources, 'utf8').trim() === sourceHash(packageDir);
}
