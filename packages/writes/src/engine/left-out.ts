import { join } from 'node:path';
import type { TreeLeaf } from '@grove/history';
import { LARGEST_FILE } from './files/read-file.ts';
import { statAt } from './files/stat-at.ts';
import type { EngineParts } from './parts.ts';

const FORMAT = 0o170000;
const FILE = 0o100000;
const LINK = 0o120000;
const TRASH = /^\.trash(?:\/|$)/i;

/** Why what a branch has at a path is never made on disk. */
export type WhyLeftOut = 'link' | 'trash' | 'large';

/**
 * Tells what a pull leaves to the history alone: a link could lead anywhere, what lies in the trash was deleted in this
 * vault, and a file above 64 MB cannot be taken in hand. Null for all else.
 */
export async function whyLeftOut(
  { store }: Pick<EngineParts, 'store'>,
  path: string,
  leaf: TreeLeaf | null,
): Promise<WhyLeftOut | null> {
  const format = leaf === null ? 0 : leaf.mode & FORMAT;
  if (format === LINK) return 'link';
  if (leaf === null || format !== FILE) return null;
  if (TRASH.test(path)) return 'trash';
  return (await store.sizeOf(leaf.oid)) > LARGEST_FILE ? 'large' : null;
}

/** True for what is left out and not there all the same: git is not to take it for removed. */
export async function isAbsent(parts: EngineParts, path: string, leaf: TreeLeaf): Promise<boolean> {
  return statAt(join(parts.root, path)) === null && (await whyLeftOut(parts, path, leaf)) !== null;
}
