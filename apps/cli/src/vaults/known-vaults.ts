import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import * as z from 'zod';

/** A vault that was opened before. */
export interface KnownVault {
  readonly slug: string;
  /** Real path of its folder, which may be gone. */
  readonly root: string;
}

const RECORD = z.object({ root: z.string() });

/** The vaults of a data folder, by slug. A folder without a readable record is none. */
export async function knownVaults(dataDir: string): Promise<readonly KnownVault[]> {
  const folder = join(dataDir, 'vaults');
  const vaults: KnownVault[] = [];
  for (const slug of (await list(folder)).sort()) {
    const root = await recordedRoot(join(folder, slug, 'vault.json'));
    if (root !== null) vaults.push({ slug, root });
  }
  return vaults;
}

/**
 * The vaults that a command may mean which names none: all that are known, but the sample only while there is no other.
 * Who has tried it and goes on with notes of their own shall not have to say so each time.
 */
export async function meantVaults(dataDir: string): Promise<readonly KnownVault[]> {
  const known = await knownVaults(dataDir);
  const sample = await realPath(sampleFolder(dataDir));
  const others = known.filter(({ root }) => root !== sample);
  return others.length === 0 ? known : others;
}

/** Where the sample vault of a data folder is installed. */
export function sampleFolder(dataDir: string): string {
  return join(dataDir, 'sample-vault');
}

async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    // Not there, or not ours to see: no known vault is it.
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

async function recordedRoot(file: string): Promise<string | null> {
  try {
    return RECORD.parse(JSON.parse(await readFile(file, 'utf8'))).root;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
