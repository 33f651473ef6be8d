import { type BigIntStats, lstatSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode, foldCase, GroveError, outOfFiles, type VaultPath } from '@grove/core';

/** Where a note lies, or would lie. */
export interface Place {
  /** Vault-relative, as the disk spells it. */
  readonly diskPath: string;
  /** Null when there is no file. */
  readonly stat: BigIntStats | null;
  /** Vault-relative folders on the way that are not there, outermost first. */
  readonly missingFolders: readonly string[];
  /** The deepest folder on the way that is there. */
  readonly folder: BigIntStats;
  /** Paths that are there and differ in upper and lower case only. */
  readonly twins: readonly string[];
}

/**
 * Finds the place of a note without following any link. A name that the disk spells in the other Unicode form
 * is the same note.
 *
 * @throws GroveError `path_refused` for a link, a folder or a device in its place, `folder_is_file`,
 * `files_exhausted`
 */
export async function findPlace(root: string, path: VaultPath): Promise<Place> {
  const segments = path.split('/');
  let diskPath = '';
  let folder = lookAt(root, path);
  if (folder === null) throw new GroveError('vault_degraded');
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    const found = await findName(root, diskPath, segment, path);
    if (found.stat === null) {
      const rest = segments.slice(at);
      const missing = rest
        .slice(0, -1)
        .map((_, depth) => below(diskPath, rest.slice(0, depth + 1).join('/')));
      const twins = found.twins.map((twin) => below(diskPath, [twin, ...rest.slice(1)].join('/')));
      return {
        diskPath: below(diskPath, rest.join('/')),
        stat: null,
        missingFolders: missing,
        folder,
        twins,
      };
    }
    diskPath = below(diskPath, found.name);
    if (found.stat.isSymbolicLink())
      throw refused(path, isLast ? 'it is a link' : 'a folder on the way is a link');
    if (isLast) {
      if (!found.stat.isFile())
        throw refused(path, found.stat.isDirectory() ? 'it is a folder' : 'it is no file');
      return { diskPath, stat: found.stat, missingFolders: [], folder, twins: [] };
    }
    if (!found.stat.isDirectory()) throw new GroveError('folder_is_file', { path, folder: diskPath });
    folder = found.stat;
  }
  throw refused(path, 'it is empty');
}

/** The error of a path that cannot be written; `reason` completes "cannot be written: …". */
export function refused(path: string, reason: string): GroveError {
  return new GroveError('path_refused', { path, reason });
}

interface FoundName {
  readonly name: string;
  readonly stat: BigIntStats | null;
  readonly twins: readonly string[];
}

async function findName(root: string, folder: string, name: string, path: VaultPath): Promise<FoundName> {
  const exact = join(root, folder, name);
  const stat = lookAt(exact, path);
  if (stat !== null && isSpelledSo(exact)) return { name, stat, twins: [] };
  const twins: string[] = [];
  const folded = foldCase(name);
  for (const other of await namesIn(join(root, folder), path)) {
    if (other.normalize('NFC') === name)
      return { name: other, stat: lookAt(join(root, folder, other), path), twins };
    if (foldCase(other) === folded) twins.push(other);
  }
  return { name, stat: null, twins };
}

/** False when a file system that ignores case or Unicode form found the file under another spelling. */
export function isSpelledSo(path: string): boolean {
  return process.platform === 'linux' || basename(realpathSync.native(path)) === basename(path);
}

function lookAt(absolute: string, path: VaultPath): BigIntStats | null {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const code = errorCode(error) ?? '';
    // A name that the disk cannot hold is not there; making it says why.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw refused(path, `a folder on the way cannot be looked at (${code})`);
  }
}

async function namesIn(folder: string, path: VaultPath): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw (
      outOfFiles(error) ??
      refused(path, `its folder cannot be listed (${errorCode(error) ?? 'unknown error'})`)
    );
  }
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
