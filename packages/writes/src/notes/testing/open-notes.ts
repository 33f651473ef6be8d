import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeFiles } from '@grove/testing';
import { noGitTimes, openVault, type Vault } from '@grove/vault';

/** A vault of some notes, open for one test. */
export interface OpenNotes {
  readonly root: string;
  readonly stateDir: string;
  readonly vault: Vault;
  close(): Promise<void>;
}

/** Noon of a Monday. */
export const NOW = Date.parse('2026-11-30T12:00:00Z');

/** Opens a vault of these files and waits until all of it is known. */
export async function openNotes(files: Readonly<Record<string, string>>): Promise<OpenNotes> {
  const base = makeFolder('writes');
  const root = join(base.path, 'Garden');
  const stateDir = join(base.path, 'state');
  await mkdir(root);
  writeFiles(root, files);
  const vault = await openVault({
    root,
    stateDir,
    slug: 'garden',
    gitDir: null,
    times: noGitTimes,
    clock: { now: () => NOW },
    listenerGraceMs: 0,
  });
  await vault.ready;
  return {
    root,
    stateDir,
    vault,
    close: async () => {
      await vault.close();
      base.remove();
    },
  };
}
