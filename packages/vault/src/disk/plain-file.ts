import { constants, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '@grove/core';

/**
 * Opens what lies at an absolute path to read it: not through a link at its end, and without waiting for what a
 * FIFO may never say. That it is a plain file, and {@link isAt} that path, is for the caller to see.
 *
 * @returns the file descriptor
 * @throws what `openSync` throws: `ELOOP` for a link
 */
export function openPlain(absolute: string): number {
  return openSync(absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}

/** True when the open file is the one at `absolute` itself, with no link on the way and not replaced since. */
export function isAt(file: number, absolute: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === absolute;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  // No /proc (macOS, Windows): the folder's real path, taken while the file is open.
  return realpathSync.native(dirname(absolute)) === dirname(absolute);
}

/** Reads as many bytes as the file had; that it grew meanwhile shows in its stat. */
export function readWhole(file: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, buffer, filled, size - filled, filled);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
  }
  return buffer;
}
