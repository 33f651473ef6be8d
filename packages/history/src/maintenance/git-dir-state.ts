import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitLocation } from '../repository/location.ts';
import { countLoose, looseIn, namesIn } from './loose-files.ts';

/** How much the git dir holds, for its owner. */
export interface GitDirState {
  /** Objects that have a file of their own. */
  readonly looseObjects: number;
  readonly packs: number;
  /** Of all objects, packed and loose, with the index files of the packs; the loose part is estimated. */
  readonly bytes: number;
}

// Ids are spread evenly: these folders stand for all 256.
const SAMPLED = ['17', '5a', '9c', 'e3'] as const;

/**
 * Counts loose objects and packs of a repository's own. Costs a list of each of the 256 folders of loose objects and a
 * look at few of the files in them. Throws errors of `node:fs` for what cannot be listed.
 *
 * @example (await readGitDirState(location)).looseObjects // 1204
 */
export async function readGitDirState(location: Pick<GitLocation, 'commonDir'>): Promise<GitDirState> {
  const objects = join(location.commonDir, 'objects');
  const looseObjects = await countLoose(objects);
  let packs = 0;
  let packed = 0;
  for (const name of await namesIn(join(objects, 'pack'))) {
    if (name.endsWith('.pack')) packs += 1;
    packed += await sizeOf(join(objects, 'pack', name));
  }
  return { looseObjects, packs, bytes: packed + (await looseBytes(objects, looseObjects)) };
}

async function looseBytes(objects: string, count: number): Promise<number> {
  const sample = [];
  for (const prefix of SAMPLED) sample.push(...(await looseIn(objects, prefix)));
  if (sample.length === 0) return 0;
  const bytes = sample.reduce((sum, { size }) => sum + Number(size), 0);
  return Math.round((bytes / sample.length) * count);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch {
    // Repacked and removed beside us.
    return 0;
  }
}
