import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, syncFolderNow, writeDurably } from '@grove/core';
import * as z from 'zod';
import { staysInPlace, UNFINISHED } from './data-contents.ts';

/** What is to be done when everything of a backup lies ready; in the data folder until it is done. */
const SWAP_FILE = `${UNFINISHED}restore.json`;
const SWAP = z.object({
  /** Folder in the data folder that holds what comes. */
  staged: z.string().regex(/^\.unfinished-[\w-]+$/),
  /** Folder in the data folder for what was there. */
  kept: z.string().regex(/^replaced-[\w-]+$/),
  /** Names of all that comes. */
  names: z.array(z.string()),
});

/**
 * Puts what lies ready in `staged` into the place of what is in the data folder, which goes to `kept`; both are names in
 * the data folder. From here on it is done even after a crash, by `finishSwap`.
 *
 * A folder that is a volume of its own cannot be renamed; so what it holds is.
 */
export async function swap(dataDir: string, staged: string, kept: string): Promise<void> {
  const names = readdirSync(join(dataDir, staged));
  await writeDurably(join(dataDir, SWAP_FILE), JSON.stringify({ staged, kept, names }), 0o600);
  finishSwap(dataDir);
}

/** Finishes a restore that was cut off after everything lay ready; does nothing where there is none. */
export function finishSwap(dataDir: string): void {
  const file = join(dataDir, SWAP_FILE);
  if (!existsSync(file)) return;
  const { staged, kept, names } = SWAP.parse(JSON.parse(readFileSync(file, 'utf8')));
  const coming = new Set(existsSync(join(dataDir, staged)) ? readdirSync(join(dataDir, staged)) : []);
  for (const name of readdirSync(dataDir)) {
    const isPlaced = names.includes(name) && !coming.has(name);
    if (staysInPlace(name) || isPlaced) continue;
    mkdirSync(join(dataDir, kept), { recursive: true, mode: 0o700 });
    move(join(dataDir, name), join(dataDir, kept, name));
  }
  for (const name of coming) move(join(dataDir, staged, name), join(dataDir, name));
  if (existsSync(join(dataDir, kept))) syncFolderNow(join(dataDir, kept));
  syncFolderNow(dataDir);
  rmSync(join(dataDir, staged), { recursive: true, force: true });
  rmSync(file, { force: true });
  syncFolderNow(dataDir);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Two processes may finish it at the same time.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
