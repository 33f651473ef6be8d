import { GroveError } from '@grove/core';

// Characters that HFS+ leaves out of names: ".git" with one of them is ".git" there.
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Throws `bad_path` for a name that git-fsck refuses in a tree: another system would take it for git's own folder, or it
 * leaves the tree.
 */
export function refuseName(name: string, path: string): void {
  const plain = name.replaceAll(PASSED_OVER, '').toLowerCase();
  const bad =
    name === '' ||
    name.includes('\0') ||
    plain === '.' ||
    plain === '..' ||
    /^(?:\.git|git~1)[ .]*(?:$|[:\\])/.test(plain);
  if (bad) throw new GroveError('bad_path', { path, reason: 'git does not allow such a name' });
}
