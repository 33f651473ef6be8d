import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, GroveError, hasNoLinks } from '@grove/core';
import { VAULT_FILE } from '@grove/vault';

/** True when the vault has a `.grove/vault.yaml`, of whatever kind. */
export async function hasVaultFile(root: string): Promise<boolean> {
  return (await kindOf(join(root, VAULT_FILE))) !== null;
}

/**
 * Writes `.grove/vault.yaml`, whole or not at all. One that is there stays, unless `force`: then it is kept beside as
 * `vault.yaml.old`. Nothing is written through a link.
 *
 * @throws GroveError `vault_file_exists`, `path_refused`, `disk_unwritable`, `disk_full`
 */
export async function writeVaultFile(root: string, text: string, force: boolean): Promise<void> {
  const target = join(root, VAULT_FILE);
  const folder = dirname(target);
  const fresh = join(folder, `.vault.yaml.${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(folder, { recursive: true });
    if ((await kindOf(folder)) !== 'folder') throw refused('.grove is no folder of its own');
    await writeFile(fresh, text, { flag: 'wx' });
    if (force) await replace(fresh, target);
    else await create(fresh, target, text);
  } catch (error) {
    throw asGroveError(error);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function create(fresh: string, target: string, text: string): Promise<void> {
  try {
    await link(fresh, target);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    await writeFile(target, text, { flag: 'wx' });
  }
}

async function replace(fresh: string, target: string): Promise<void> {
  const kind = await kindOf(target);
  if (kind === 'folder' || kind === 'other') throw refused(`${VAULT_FILE} is no plain file`);
  if (kind === 'file') {
    const kept = `${fresh}.old`;
    await writeFile(kept, await readFile(target), { flag: 'wx' });
    await rename(kept, `${target}.old`);
  }
  await rename(fresh, target);
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | null> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) return 'file';
    return stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function refused(reason: string): GroveError {
  return new GroveError('path_refused', { path: VAULT_FILE, reason });
}

function asGroveError(error: unknown): unknown {
  switch (errorCode(error)) {
    case 'EEXIST':
      return new GroveError('vault_file_exists', {}, { cause: error });
    case 'ENOTDIR':
      return refused('.grove is no folder of its own');
    case 'ENOSPC':
    case 'EDQUOT':
      return new GroveError('disk_full', {}, { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new GroveError('disk_unwritable', { reason: errorCode(error) }, { cause: error });
    default:
      return error;
  }
}
