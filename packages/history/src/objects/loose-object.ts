import { readGitBytes, readGitStart } from '../repository/small-file.ts';
import { unreadable } from '../repository/unreadable.ts';
import type { GitObject, ObjectType } from './git-object.ts';
import { inflateStart, inflateUpTo } from './inflate.ts';

/** Enough of a file for the header, however badly it is compressed. */
const HEADER_BYTES = 128;

/**
 * Reads a loose object's file (gitformat-loose) of at most `limit` bytes of content; null when it is gone. Its content
 * is not checked against its id. Throws `repository_unreadable`.
 *
 * @example (await readLooseObject(`${objects}/4b/825dc6…`, '4b825dc6…', 1024))?.type // 'tree'
 */
export async function readLooseObject(path: string, oid: string, limit: number): Promise<GitObject | null> {
  const bytes = await readGitBytes(path, limit);
  if (bytes === null) return null;
  const whole = await inflateUpTo(bytes, limit + 64);
  const { type, size, end } = headerOf(whole, oid);
  if (size !== whole.length - end - 1) throw unreadable(`the object ${oid} is damaged`);
  return { type, data: whole.subarray(end + 1) };
}

/** Size in bytes that a loose object's file says its content has; null when it is gone. Throws `repository_unreadable`. */
export async function looseSize(path: string, oid: string): Promise<number | null> {
  const start = await readGitStart(path, HEADER_BYTES);
  return start === null ? null : headerOf(inflateStart(start), oid).size;
}

function headerOf(bytes: Buffer, oid: string): { type: ObjectType; size: number; end: number } {
  const end = bytes.indexOf(0);
  const header = /^(commit|tree|blob|tag) (\d+)$/.exec(bytes.toString('latin1', 0, Math.min(end, 32)));
  if (!header) throw unreadable(`the object ${oid} is damaged`);
  return { type: header[1] as ObjectType, size: Number(header[2]), end };
}
