import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode } from '@grove/core';

/** What became of reading a file that should be small. */
export type SmallFile =
  /** With its mode and the number of its group. */
  | { readonly text: string; readonly mode: number; readonly group: number }
  /** `reason` goes on from the name of the file. */
  | { readonly text: null; readonly missing: boolean; readonly reason: string };

/**
 * Reads a text file of at most so many bytes. A pipe or a device is not waited for, and a folder is none.
 *
 * @example readSmallFile('/etc/hostname', 1024).text // 'nas\n'
 */
export function readSmallFile(path: string, mostBytes: number): SmallFile {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readOpened(file, mostBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return refused('is not UTF-8');
    return refused(`cannot be read (${code})`, code === 'ENOENT' || code === 'ENOTDIR');
  }
}

function readOpened(file: number, mostBytes: number): SmallFile {
  const stats = fstatSync(file);
  if (!stats.isFile()) return refused('is no file');
  if (stats.size > mostBytes) return refused(`has more than ${mostBytes} bytes`);
  const bytes = Buffer.alloc(mostBytes + 1);
  // A file of /proc has no size and content all the same.
  let length = 0;
  for (let read = -1; read !== 0 && length <= mostBytes; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null);
  if (length > mostBytes) return refused(`has more than ${mostBytes} bytes`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  return { text, mode: stats.mode, group: stats.gid };
}

function refused(reason: string, missing = false): SmallFile {
  return { text: null, missing, reason };
}
