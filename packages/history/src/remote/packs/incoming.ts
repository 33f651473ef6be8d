import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, randomId, type WriteFs } from '@grove/core';
import { GitStore } from '../../git-store.ts';
import { namesIn } from '../../maintenance/loose-files.ts';
import type { GitLocation } from '../../repository/location.ts';

/** git clears such folders of its own away in the end, too. */
const PREFIX = 'tmp_objdir-grove-';
const MB = 1024 * 1024;
/** Above every object that a forge takes. */
export const OBJECT_LIMIT = 1024 * MB;

/** A name for a folder that belongs to this process, for packs on their way. */
export function newIncomingFolder(location: Pick<GitLocation, 'commonDir'>): string {
  return join(location.commonDir, 'objects', `${PREFIX}${ownerMark()}-${randomId()}`);
}

/** Removes such folders of processes that have ended. */
export async function clearIncoming(location: Pick<GitLocation, 'commonDir'>): Promise<void> {
  const objects = join(location.commonDir, 'objects');
  for (const name of await namesIn(objects)) {
    const owner = name.startsWith(PREFIX) ? /^(\d+)\.\d+(?=-)/.exec(name.slice(PREFIX.length)) : null;
    if (owner === null || isAtWork(Number(owner[1]), owner[0])) continue;
    await rm(join(objects, name), { recursive: true, force: true });
  }
}

/** In a container the process always has the same id: its start tells it from the one before it. */
function ownerMark(): string {
  return `${process.pid}.${Math.floor(performance.timeOrigin)}`;
}

function isAtWork(pid: number, mark: string): boolean {
  if (pid === process.pid) return mark === ownerMark();
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Makes the folder: one of git objects, to which those of the repository belong too. */
export async function makeIncoming(fs: WriteFs, folder: string): Promise<void> {
  for (const made of [folder, join(folder, 'pack'), join(folder, 'info')]) await fs.mkdir(made);
  await writeFile(join(folder, 'info', 'alternates'), '..\n');
}

/** The repository as it is with what lies in the folder. Its refs are not read through this. */
export function storeWith(location: GitLocation, folder: string | null): GitStore {
  const limits = { object: OBJECT_LIMIT, pages: 4 * MB, objects: 16 * MB };
  return new GitStore(location, false, { limits, ...(folder === null ? {} : { objects: folder }) });
}

/** Moves a pack that is synced into the repository, its index last: with it the pack counts. */
export async function installPack(fs: WriteFs, pack: string): Promise<void> {
  const folder = join(dirname(dirname(dirname(pack))), 'pack');
  const stem = basename(pack, '.pack');
  const there = new Set(await readdir(folder));
  for (const name of [`${stem}.pack`, `${stem}.idx`])
    if (!there.has(name)) await fs.rename(join(dirname(pack), name), join(folder, name));
  await fs.sync(folder);
}
