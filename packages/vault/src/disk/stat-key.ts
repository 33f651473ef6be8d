import type { BigIntStats } from 'node:fs';
import type { SkippedFile, StatKey } from '../note-row.ts';

/** Why a file is no note for Grove. */
export type SkipReason = SkippedFile['reason'];

/** What one `lstat` or `fstat` tells of a file that may be a note. Times in milliseconds since the epoch. */
export interface FileFacts {
  readonly key: StatKey;
  readonly modified: number;
  /** When the file was made; never after `modified`, and equal to it where the disk does not know. */
  readonly created: number;
}

/** The facts that one stat call holds. */
export function fileFacts(stat: BigIntStats): FileFacts {
  const modified = Number(stat.mtimeMs);
  const born = Number(stat.birthtimeMs);
  return {
    key: {
      dev: String(stat.dev),
      ino: String(stat.ino),
      size: Number(stat.size),
      mtimeNs: String(stat.mtimeNs),
      ctimeNs: String(stat.ctimeNs),
    },
    modified,
    created: born > 0 && born < modified ? born : modified,
  };
}

/** True when nothing that a stat shows has changed. */
export function sameKey(left: StatKey, right: StatKey): boolean {
  return (
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs &&
    left.size === right.size &&
    left.ino === right.ino &&
    left.dev === right.dev
  );
}

/**
 * Why this file must not be read, or null when it may be: only a plain file with one name, of at most
 * `maxBytes`, is a note. A second hard link could reach a file outside the vault.
 */
export function refusal(stat: BigIntStats, maxBytes: number): SkipReason | null {
  if (stat.isSymbolicLink()) return 'symlink';
  if (!stat.isFile()) return 'not_a_file';
  if (stat.nlink > 1n) return 'hard_link';
  return stat.size > BigInt(maxBytes) ? 'too_large' : null;
}
