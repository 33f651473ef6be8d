import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';

/** The file of a loose object, as it was when it was listed. */
export interface LooseFile {
  readonly oid: string;
  readonly path: string;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

const FANOUT = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));
const REST = /^[0-9a-f]{38}$/;
/** How long git keeps what a crash left of an object that was being written (gc.pruneExpire). */
const LEFTOVER_MS = 14 * 24 * 60 * 60 * 1000;
// As many as Node's threads for files.
const AT_ONCE = 4;

/** How many loose objects there are: 256 folders are listed and no file is looked at. */
export async function countLoose(objects: string): Promise<number> {
  let count = 0;
  for (const prefix of FANOUT) {
    count += (await namesIn(join(objects, prefix))).filter((name) => REST.test(name)).length;
  }
  return count;
}

/** Loose objects, at most about `limit` of them, and no folder in part. */
export async function listLoose(objects: string, limit: number): Promise<LooseFile[]> {
  const files: LooseFile[] = [];
  for (const prefix of FANOUT) {
    if (files.length >= limit) break;
    files.push(...(await looseIn(objects, prefix)));
  }
  return files;
}

/** The loose objects of one of the 256 folders; `prefix` is its name. */
export async function looseIn(objects: string, prefix: string): Promise<LooseFile[]> {
  const folder = join(objects, prefix);
  const names = (await namesIn(folder)).filter((name) => REST.test(name));
  const files: LooseFile[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const looks = names.slice(at, at + AT_ONCE).map((name) => look(`${prefix}${name}`, join(folder, name)));
    for (const file of await Promise.all(looks)) if (file !== null) files.push(file);
  }
  return files;
}

/** True while the file is the one that was listed and nobody has set its time anew. */
export async function isUnchanged(file: LooseFile): Promise<boolean> {
  const now = await look(file.oid, file.path);
  return now !== null && now.ino === file.ino && now.size === file.size && now.mtimeNs === file.mtimeNs;
}

/** Removes what crashes left of objects that were being written, after the time that git leaves it. */
export async function removeLeftovers(fs: WriteFs, objects: string, now: number): Promise<void> {
  for (const prefix of FANOUT) {
    const folder = join(objects, prefix);
    for (const name of await namesIn(folder)) {
      if (!name.startsWith('tmp_obj_')) continue;
      const found = await look(name, join(folder, name));
      if (found === null || Number(found.mtimeNs / 1_000_000n) > now - LEFTOVER_MS) continue;
      await fs.unlink(found.path);
    }
  }
}

/** Names in a folder; none where it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function look(oid: string, path: string): Promise<LooseFile | null> {
  try {
    const { ino, size, mtimeNs } = await lstat(path, { bigint: true });
    return { oid, path, ino, size, mtimeNs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
