import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeFiles } from '@grove/testing';

/** Files of a vault: path to content. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder of notes on disk, for one test. */
export interface VaultFolder {
  /** The vault; its folder is always called `Garden`. */
  readonly root: string;
  readonly dataDir: string;
  /** Writes files; all of them get the same modification time, long enough ago to be settled. */
  write(files: Files, modified?: Date): Promise<void>;
  remove(): Promise<void>;
}

/** When files of a test were changed last. */
const SETTLED = new Date('2026-11-20T10:00:00Z');

/** Makes a vault folder with these files, and a data folder beside it. */
export async function makeVaultFolder(files: Files): Promise<VaultFolder> {
  const base = makeFolder('service');
  const root = join(base.path, 'Garden');
  await mkdir(root);
  const write = async (more: Files, modified = SETTLED): Promise<void> => {
    writeFiles(root, more);
    for (const path of Object.keys(more)) await utimes(join(root, path), modified, modified);
  };
  await write(files);
  return {
    root,
    dataDir: join(base.path, 'data'),
    write,
    remove: async () => base.remove(),
  };
}
