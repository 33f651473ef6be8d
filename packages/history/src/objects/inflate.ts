import { promisify } from 'node:util';
import { constants, inflate, inflateSync } from 'node:zlib';
import { errorCode } from '@grove/core';
import { unreadable } from '../repository/unreadable.ts';

const inflateAside = promisify(inflate);
// Below this a thread's round trip costs more than the work.
const SMALL = 16 * 1024;

/**
 * Inflates one zlib stream of known size; what follows it in `input` is ignored. Null when `input` ends
 * before the stream does. Throws `repository_unreadable` for anything else.
 */
export async function inflateExactly(input: Buffer, size: number): Promise<Buffer | null> {
  try {
    // zlib hands out slices of its chunks: chunks of 16 KB would stay in memory for each small object.
    const options = { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(64, size + 16) };
    const data = size <= SMALL ? inflateSync(input, options) : await inflateAside(input, options);
    if (data.length !== size) throw unreadable('an object has another size than its header says');
    return data;
  } catch (error) {
    if (errorCode(error) === 'Z_BUF_ERROR') return null;
    throw damaged(error);
  }
}

/** Inflates a whole zlib stream to at most `limit` bytes. Throws `repository_unreadable`. */
export async function inflateUpTo(input: Buffer, limit: number): Promise<Buffer> {
  try {
    const options = { maxOutputLength: limit, chunkSize: Math.min(SMALL, Math.max(256, input.length * 3)) };
    const data = input.length <= SMALL / 4 ? inflateSync(input, options) : await inflateAside(input, options);
    return data.length < SMALL ? Buffer.from(data) : data;
  } catch (error) {
    throw damaged(error);
  }
}

/** The first bytes of a zlib stream of which `input` may be no more than the beginning. Throws `repository_unreadable`. */
export function inflateStart(input: Buffer): Buffer {
  try {
    return inflateSync(input, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE') return unreadable('an object is larger than it may be', error);
  return code?.startsWith('Z_') ? unreadable('an object is damaged', error) : error;
}
