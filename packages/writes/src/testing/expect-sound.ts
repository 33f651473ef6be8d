import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemGit } from '@grove/testing';
import { expect } from 'vitest';

/**
 * Fails unless git itself finds the repository whole, and HEAD, index and work tree equal. `apart`: paths that may
 * differ from HEAD.
 */
export function expectSound(git: SystemGit, apart: readonly string[] = [], where = ''): void {
  expect(git.run('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  const status = git.run('status', '--porcelain', '-z', '--untracked-files=all');
  expect(
    status.split('\0').filter((line) => line !== '' && !apart.includes(line.slice(3))),
    where,
  ).toEqual([]);
  // Every blob of the index is that of HEAD, whatever the stats say.
  expect(
    git
      .run('diff', '--cached', '--name-only', 'HEAD')
      .split('\n')
      .filter((path) => path !== '' && !apart.includes(path)),
  ).toEqual([]);
  expect(leftovers(git.dir)).toEqual([]);
}

/** Locks and working files of ours that are still there. */
export function leftovers(root: string): string[] {
  const gitDir = join(root, '.git');
  const names = (folder: string) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  return [
    ...names(gitDir).filter((name) => name.endsWith('.lock')),
    ...names(join(gitDir, 'refs', 'heads')).filter((name) => name.endsWith('.lock')),
    ...names(join(gitDir, 'grove')).filter((name) => !name.startsWith('owner')),
    ...names(join(root, '.grove', 'tmp')).filter((name) => name !== '.gitignore'),
  ];
}
