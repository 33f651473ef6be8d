import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';

/** So many entries of a folder are looked at. */
const MOST_ENTRIES = 2_000;

/** An entry of a folder; a link is neither file nor folder here. */
export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

/**
 * The entries of a folder, up to a bound; none for what is no folder, a link to one among it, or may not be looked at.
 */
export async function entriesOf(folder: string, most = MOST_ENTRIES): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    if (!(await lstat(folder)).isDirectory()) return [];
    for await (const entry of await opendir(folder)) {
      if (entries.length >= most) break;
      entries.push({ name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile() });
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
  return entries;
}

/** The folders directly in a folder, hidden ones among them. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  return (await entriesOf(folder)).filter(({ isFolder }) => isFolder).map(({ name }) => join(folder, name));
}

/** Whether there is a file, or a folder, of that name that is no link. */
export async function isThere(path: string, what: 'file' | 'folder'): Promise<boolean> {
  try {
    const stats = await lstat(path);
    return what === 'file' ? stats.isFile() : stats.isDirectory();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
