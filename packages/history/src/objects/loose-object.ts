import { readGitBytes } from '../repository/small-file.ts';
import { unreadable } from '../repository/unreadable.ts';
import type { GitObject, ObjectType } from './git-object.ts';
import { inflateUpTo } from './inflate.ts';

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
  const end = whole.indexOf(0);
  const header = /^(commit|tree|blob|tag) (\d+)$/.exec(whole.toString('latin1', 0, Math.min(end, 32)));
  if (!header || Number(header[2]) !== whole.length - end - 1) {
    throw unreadable(`the object ${oid} is damaged`);
  }
  return { type: header[1] as ObjectType, data: whole.subarray(end + 1) };
}
