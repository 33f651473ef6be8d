import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { errorCode, GroveError, outOfFiles } from '@grove/core';
import { isAt, openPlain, readWhole } from '@grove/vault';
import { refused } from './find-place.ts';

/** Largest note that is read, in bytes; larger ones are not served either. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Largest file of any kind that a pull takes in hand, in bytes: that of an object that is read from git. */
export const LARGEST_FILE = 64 * 1024 * 1024;
const TRIES = 3;

/** Bytes of a file and what the open file said of itself. */
export interface FileRead {
  readonly bytes: Buffer;
  readonly stat: BigIntStats;
}

/**
 * Reads a plain file by its absolute real path, or null when there is none: no link at the end or on the way, no
 * second hard link, no device. `path` is how errors name it; `largest` in bytes, that of a note unless told.
 *
 * Synchronous: between this look and the change of the file nothing of ours may come, and as little as possible
 * of anybody else's.
 *
 * @throws GroveError `path_refused`, `note_too_large`, `files_exhausted`
 */
export function readPlainFile(
  absolute: string,
  path: string,
  links = 1,
  largest = MAX_BYTES,
): FileRead | null {
  let last: FileRead | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const file = openOrNull(absolute, path);
    if (file === null) return null;
    try {
      const before = fstatSync(file, { bigint: true });
      if (!before.isFile()) throw refused(path, before.isDirectory() ? 'it is a folder' : 'it is no file');
      if (before.nlink > BigInt(links)) throw refused(path, 'it has a second name (a hard link)');
      if (before.size > BigInt(largest))
        throw new GroveError('note_too_large', { path, size: Number(before.size), limit: largest });
      if (!isAt(file, absolute)) {
        // Replaced since it was opened, or reached through a link: a new look tells.
        if (attempt === TRIES - 1) throw refused(path, 'a folder on the way is a link');
        continue;
      }
      const bytes = readWhole(file, Number(before.size));
      const stat = fstatSync(file, { bigint: true });
      last = { bytes, stat };
      if (stat.size === before.size && stat.mtimeNs === before.mtimeNs) return last;
    } finally {
      closeSync(file);
    }
  }
  // Written without pause: these bytes are what the disk gave, and are compared once more before they are replaced.
  return last;
}

function openOrNull(absolute: string, path: string): number | null {
  try {
    return openPlain(absolute);
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw (
      outOfFiles(error) ?? refused(path, code === 'ELOOP' ? 'it is a link' : `it cannot be opened (${code})`)
    );
  }
}
