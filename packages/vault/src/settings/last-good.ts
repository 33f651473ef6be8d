import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import { readVaultFile, type VaultFile } from './vault-file.ts';

/** Where the text of the last valid `.grove/vault.yaml` is kept, so that rules outlast a start with one that is not. */
const KEPT = 'vault-file.yaml';

/** What the last valid file said; null when there was none. */
export async function lastGoodFile(stateDir: string): Promise<VaultFile | null> {
  const text = await keptText(stateDir);
  return text === null ? null : readVaultFile(text).file;
}

/**
 * Keeps the text of a valid file; null when the vault has no file. A state folder that cannot be written costs no more
 * than the memory of it.
 */
export async function keepGoodFile(stateDir: string, text: string | null): Promise<void> {
  if ((await keptText(stateDir)) === text) return;
  const target = join(stateDir, KEPT);
  const fresh = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    if (text === null) await rm(target, { force: true });
    else {
      await writeFile(fresh, text, { flag: 'wx', mode: 0o600 });
      await rename(fresh, target);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    await rm(fresh, { force: true }).catch(() => {});
  }
}

async function keptText(stateDir: string): Promise<string | null> {
  try {
    return await readFile(join(stateDir, KEPT), 'utf8');
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
