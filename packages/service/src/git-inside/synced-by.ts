import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorCode } from '@grove/core';

/** Entries that a program leaves in the folder that it keeps in step with other machines. */
const MARKS: readonly (readonly [program: string, entry: RegExp])[] = [
  ['Syncthing', /^\.st(?:folder|ignore|versions)$/],
  ['Dropbox', /^\.dropbox(?:\.cache)?$/],
  ['Nextcloud', /^(?:\.nextcloudsync\.log|\.owncloudsync\.log|\._?sync_[0-9a-f]+\.db)$/],
  ['Resilio Sync', /^\.sync$/],
];

/** Names of the folders themselves. */
const NAMES: readonly (readonly [program: string, name: RegExp])[] = [
  ['Dropbox', /^Dropbox(?: \(.+\))?$/],
  ['OneDrive', /^OneDrive(?: ?- ?.+)?$/],
  ['iCloud Drive', /^(?:Mobile Documents|iCloud ?Drive)$/],
  ['Google Drive', /^Google ?Drive(?:-.+)?$/],
  ['a cloud drive', /^CloudStorage$/],
];

/**
 * The program that keeps a folder, or one above it, in step with other machines, as far as it leaves traces; else null.
 * Such programs copy a `.git` file by file while git changes it, and leave repositories broken.
 *
 * @param root absolute and real
 * @example await syncedBy('/home/ann/Dropbox/Notes') // 'Dropbox'
 */
export async function syncedBy(root: string): Promise<string | null> {
  for (let folder = root; ; folder = dirname(folder)) {
    const named = NAMES.find(([, name]) => name.test(basename(folder)));
    if (named !== undefined) return named[0];
    const entries = await entriesOf(folder);
    const marked = MARKS.find(([, entry]) => entries.some((name) => entry.test(name)));
    if (marked !== undefined) return marked[0];
    if (dirname(folder) === folder) return null;
  }
}

/** A folder above that may not be listed tells nothing. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
