import { readdir, readFile } from 'node:fs/promises';
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
