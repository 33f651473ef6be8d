import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '@grove/core';
import { unreadable } from './unreadable.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Text of one of git's own files, or null when there is none. Throws `repository_unreadable` for the rest. */
export async function readGitFile(path: string): Promise<string | null> {
  return (await readGitBytes(path))?.toString('utf8') ?? null;
}

/** As {@link readGitFile}, undecoded. Never opens what is not a regular file (a FIFO would not answer). */
export async function readGitBytes(path: string, limit = MAX_BYTES): Promise<Buffer | null> {
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    // On Windows there is no O_NONBLOCK, and no FIFO in a folder either.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile()) return null;
    if (stat.size > limit) throw unreadable(`${nameOf(path)} is larger than ${limit} bytes`);
    return await handle.readFile();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    if (code === 'repository_unreadable') throw error;
    throw unreadable(`${nameOf(path)} cannot be opened (${code ?? 'unknown error'})`, error);
  } finally {
    await handle?.close();
  }
}

// Only the last name: where the repository lies is no one's business but the owner's.
function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
