import { link, mkdir, open, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode, GroveError, randomId } from '@grove/core';
import * as z from 'zod';
import { slugOf } from './slug.ts';

/** Where a vault's own state lies, and the name it goes by. */
export interface VaultState {
  readonly slug: string;
  /** `<dataDir>/vaults/<slug>`, existing. */
  readonly stateDir: string;
  /** Real path of the vault folder. */
  readonly root: string;
}

const RECORD = z.object({ root: z.string() });
export const RECORD_FILE = 'vault.json';

/** What the record of a vault says. */
export function recordOf(root: string): string {
  return `${JSON.stringify({ root }, null, 2)}\n`;
}

/**
 * Finds the state folder of a vault, or makes it on first use. The slug is the folder's name in lower case
 * and gets `-2`, `-3` ... when another folder has taken it; the real path in `vault.json` ties them. Safe
 * when two processes ask at once. Throws `vault_missing` when the folder is not there and
 * `vault_not_a_folder` when it is no folder or may not be looked at.
 *
 * @example await locateState('/home/ann/.local/share/grove', '/home/ann/Notes') // slug 'notes'
 */
export async function locateState(dataDir: string, root: string): Promise<VaultState> {
  const realRoot = await realRootOf(root);
  const vaults = join(dataDir, 'vaults');
  await mkdir(vaults, { recursive: true, mode: 0o700 });
  const known = await findRecorded(vaults, realRoot);
  if (known !== null) return known;

  const wanted = slugOf(basename(realRoot));
  for (let count = 1; ; count += 1) {
    const slug = count === 1 ? wanted : `${wanted}-${count}`;
    const stateDir = join(vaults, slug);
    const taken = await claim(stateDir, realRoot);
    if (taken === realRoot) return { slug, stateDir, root: realRoot };
  }
}

/** The real path of a vault folder, checked to be one. Errors as {@link locateState}. */
export async function realRootOf(root: string): Promise<string> {
  try {
    const real = await realpath(root);
    if (!(await stat(real)).isDirectory()) {
      throw new GroveError('vault_not_a_folder', { reason: 'it is a file' });
    }
    return real;
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new GroveError('vault_missing', {}, { cause });
    if (code === 'EACCES' || code === 'EPERM') {
      throw new GroveError('vault_not_a_folder', { reason: 'permission was denied' }, { cause });
    }
    if (code === 'ELOOP') {
      throw new GroveError('vault_not_a_folder', { reason: 'its links go round in circles' }, { cause });
    }
    throw cause;
  }
}

async function findRecorded(vaults: string, root: string): Promise<VaultState | null> {
  for (const slug of (await readdir(vaults)).sort()) {
    const stateDir = join(vaults, slug);
    if ((await recordedRoot(stateDir)) === root) return { slug, stateDir, root };
  }
  return null;
}

/** Takes the folder for `root` unless it is taken; answers whose it is now (null: an unreadable record). */
async function claim(stateDir: string, root: string): Promise<string | null> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const record = join(stateDir, RECORD_FILE);
  const fresh = join(stateDir, `.${randomId()}.tmp`);
  await writeFile(fresh, recordOf(root));
  try {
    // link() fails when the name exists: of two processes that ask at once, one wins and both see who.
    await link(fresh, record);
    return root;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return await recordedRoot(stateDir);
    return await claimWithoutLink(record, root, stateDir);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** For file systems without hard links (exFAT, some SMB shares). */
async function claimWithoutLink(record: string, root: string, stateDir: string): Promise<string | null> {
  try {
    const file = await open(record, 'wx');
    await file.writeFile(recordOf(root)).finally(() => file.close());
    return root;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return await recordedRoot(stateDir);
    throw error;
  }
}

/** The folder that a vault's record names; null where there is none, or none that can be read. */
export async function recordedRoot(stateDir: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(join(stateDir, RECORD_FILE), 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
  try {
    return RECORD.parse(JSON.parse(text)).root;
  } catch (error) {
    // A record that cannot be read belongs to someone all the same: it is stepped over, never overwritten.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
