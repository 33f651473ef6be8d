import { closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '@grove/core';
import { unreadable } from './unreadable.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const readAside = promisify(read);
// Below this a thread's round trip costs more than the work.
const LARGE = 256 * 1024;

/** Text of one of git's own files, or null when there is none. Throws `repository_unreadable` for the rest. */
export async function readGitFile(path: string): Promise<string | null> {
  return (await readGitBytes(path))?.toString('utf8') ?? null;
}

/** As {@link readGitFile}, undecoded. Never opens what is not a regular file (a FIFO would not answer). */
export function readGitBytes(path: string, limit = MAX_BYTES): Promise<Buffer | null> {
  return opened(path, (file, size) => {
    if (size > limit) throw unreadable(`${nameOf(path)} is larger than ${limit} bytes`);
    return readWhole(file, size);
  });
}

/** The first bytes of such a file, however large it is. */
export function readGitStart(path: string, length: number): Promise<Buffer | null> {
  return opened(path, (file, size) => readWhole(file, Math.min(length, size)));
}

async function opened(
  path: string,
  read: (file: number, size: number) => Promise<Buffer>,
): Promise<Buffer | null> {
  let file: number | null = null;
  try {
    // On Windows there is no O_NONBLOCK, and no FIFO in a folder either.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    return stat.isFile() ? await read(file, stat.size) : null;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    if (code === 'repository_unreadable') throw error;
    throw unreadable(`${nameOf(path)} cannot be opened (${code ?? 'unknown error'})`, error);
  } finally {
    if (file !== null) closeSync(file);
  }
}

async function readWhole(file: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const rest = size - filled;
    const count =
      rest > LARGE
        ? (await readAside(file, bytes, filled, rest, filled)).bytesRead
        : readSync(file, bytes, filled, rest, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

// Only the last name: where the repository lies is no one's business but the owner's.
function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
