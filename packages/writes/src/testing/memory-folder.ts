import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from '@grove/testing';
import { onTestFinished } from 'vitest';

const MEMORY = '/dev/shm';

/**
 * A new folder in memory where the system has such a place, removed when the running test ends. For tests that kill
 * processes: what a process wrote outlives it there too, and syncs cost nothing.
 */
export function memoryFolder(name: string): string {
  if (!existsSync(MEMORY)) return temporaryFolder(name);
  const path = realpathSync(mkdtempSync(join(MEMORY, `grove-${name}-`)));
  onTestFinished(() => removeFolder(path));
  return path;
}
