import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder, writeFiles } from '@grove/testing';
import { type OpenVaultOptions, openVault } from '../open-vault.ts';
import { noGitTimes } from '../times.ts';
import type { Vault } from '../vault.ts';

/** A folder of notes with its own state folder, removed when the test ends. */
export interface TemporaryVault extends AsyncDisposable {
  readonly root: string;
  readonly stateDir: string;
  /** Writes a file, folders included. */
  write(path: string, text: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  /** Opens the vault and waits until it is ready; closed with the test. */
  open(options?: Partial<OpenVaultOptions>): Promise<Vault>;
}

/** Makes a real folder that holds these files. */
export async function temporaryVault(files: Readonly<Record<string, string>>): Promise<TemporaryVault> {
  const base = makeFolder('vault');
  const root = join(base.path, 'Notes');
  const stateDir = join(base.path, 'state');
  await mkdir(root);
  const opened: Vault[] = [];
  const vault: TemporaryVault = {
    root,
    stateDir,
    // Not at one go: what reads at the same time may meet half of it.
    write: async (path, text) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    read: (path) => readFile(join(root, path), 'utf8'),
    remove: (path) => rm(join(root, path), { recursive: true }),
    open: async (options = {}) => {
      const one = await openVault({
        root,
        stateDir,
        slug: 'notes',
        gitDir: null,
        times: noGitTimes,
        listenerGraceMs: 0,
        ...options,
      });
      opened.push(one);
      await one.ready;
      return one;
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of opened) await one.close();
      base.remove();
    },
  };
  writeFiles(root, files);
  return vault;
}

/** Waits until something holds; the test's own limit ends what never does. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(20);
}

/** The paths that the owner sees, in order. */
export function pathsOf(vault: Vault): string[] {
  return vault
    .ownerView()
    .notes()
    .map((row) => row.path);
}
