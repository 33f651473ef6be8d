import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
export const SETTLED = new Date('2026-11-20T10:00:00Z');

/** Makes a vault folder with these files, and a data folder beside it. */
export async function makeVaultFolder(files: Files): Promise<VaultFolder> {
  const base = await mkdtemp(join(tmpdir(), 'grove-service-'));
  const root = join(base, 'Garden');
  await mkdir(root);
  const write = async (more: Files, modified = SETTLED): Promise<void> => {
    for (const [path, content] of Object.entries(more)) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      await utimes(file, modified, modified);
    }
  };
  await write(files);
  return {
    root,
    dataDir: join(base, 'data'),
    write,
    remove: () => rm(base, { recursive: true, force: true }),
  };
}
