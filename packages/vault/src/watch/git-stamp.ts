import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@grove/core';

/**
 * A text that changes when HEAD of a git dir moves: stats of the files that a commit, a checkout, a pull or
 * `git pack-refs` writes. Linked worktrees keep the branch in the common dir.
 */
export function gitStamp(gitDir: string): string {
  const common = join(gitDir, read(join(gitDir, 'commondir'))?.trim() ?? '.');
  const branch = /^ref: (\S+)/.exec(read(join(gitDir, 'HEAD')) ?? '')?.[1];
  const files = [
    join(gitDir, 'HEAD'),
    join(gitDir, 'logs/HEAD'),
    join(common, 'packed-refs'),
    ...(branch === undefined ? [] : [join(common, branch)]),
  ];
  return files.map(stamp).join(' ');
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

function stamp(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true });
    return `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return '-';
  }
}
