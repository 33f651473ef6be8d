import { realpath, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { errorCode } from '@grove/core';
import { knownVaults } from '../known-vaults.ts';
import type { Candidate, Machine, VaultKind } from './finding.ts';
import { entriesOf } from './listing.ts';
import { logseqGraphs } from './logseq.ts';
import { obsidianVaults } from './obsidian.ts';
import { isOfSystem } from './of-system.ts';
import { openclawWorkspaces } from './openclaw.ts';

/** A folder of notes on this machine. */
export interface FoundVault {
  /** Its real path. */
  readonly path: string;
  readonly name: string;
  readonly kind: VaultKind;
  readonly notes: number;
  /** False where counting ended before the last note. */
  readonly counted: boolean;
  /** Whether a git repository is in the folder. */
  readonly git: boolean;
  /** Its short name where Grove has opened it before. */
  readonly known: string | null;
  readonly foundIn: string;
}

export interface FoundVaults {
  readonly vaults: readonly FoundVault[];
  /** Sentences about what could not be read, and what is named and gone. */
  readonly remarks: readonly string[];
}

/** Counting ends here. */
const MOST_NOTES = 10_000;
const MOST_ENTRIES = 100_000;

/**
 * Looks where Obsidian, Logseq and OpenClaw say that notes are, and nowhere else. No link is followed inside what is found.
 *
 * @param dataDir whose vaults are known
 */
export async function findVaults(machine: Machine, dataDir: string): Promise<FoundVaults> {
  const looked = [
    await obsidianVaults(machine),
    await logseqGraphs(machine),
    await openclawWorkspaces(machine),
  ];
  const known = new Map((await knownVaults(dataDir)).map(({ root, slug }) => [root, slug]));
  const vaults = new Map<string, FoundVault>();
  const remarks = looked.flatMap((findings) => findings.remarks);
  for (const candidate of looked.flatMap(({ candidates }) => candidates)) {
    const folder = await realFolder(candidate.path);
    if (typeof folder === 'object')
      remarks.push(`${candidate.path} ${folder.gone} (named in ${candidate.foundIn}).`);
    else if (!vaults.has(folder)) vaults.set(folder, await described(candidate, folder, known.get(folder)));
  }
  return { vaults: [...vaults.values()], remarks: [...new Set(remarks)] };
}

async function realFolder(path: string): Promise<string | { readonly gone: string }> {
  try {
    const real = await realpath(path);
    if (isOfSystem(real)) return { gone: 'is a folder of the system' };
    return (await stat(real)).isDirectory() ? real : { gone: 'is no folder' };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { gone: code === 'ENOENT' ? 'is not there' : `cannot be looked at (${code})` };
  }
}

async function described(
  { kind, foundIn }: Candidate,
  path: string,
  known: string | undefined,
): Promise<FoundVault> {
  const git = (await entriesOf(path, MOST_ENTRIES)).some(({ name }) => name === '.git');
  return {
    path,
    name: basename(path),
    kind,
    ...(await countNotes(path)),
    git,
    known: known ?? null,
    foundIn,
  };
}

async function countNotes(root: string): Promise<Pick<FoundVault, 'notes' | 'counted'>> {
  const folders = [root];
  let [notes, looked] = [0, 0];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, isFile, isFolder } of await entriesOf(folder, MOST_ENTRIES)) {
      looked += 1;
      if (notes >= MOST_NOTES || looked >= MOST_ENTRIES) return { notes, counted: false };
      if (name.startsWith('.')) continue;
      if (isFolder) folders.push(join(folder, name));
      else if (isFile && extname(name).toLowerCase() === '.md') notes += 1;
    }
  }
  return { notes, counted: true };
}
