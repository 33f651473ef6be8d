import { foldCase, isWindowsDevice } from '@grove/core';

/** Longest slug in UTF-16 units; leaves room for `-2` and for long data folders on Windows. */
const MAX_SLUG = 64;
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file: what a folder name cannot hold.
const FORBIDDEN = /[\s\u0000-\u001f\u007f<>:"/\\|?*,]+/gu;

/**
 * The vault's short name for commands, addresses and its state folder: the folder's name in lower case, with
 * `-` for white space, commas and what no file system can store. Letters of every script stay.
 *
 * @example slugOf('My Notes') // 'my-notes'
 */
export function slugOf(folderName: string): string {
  const slug = foldCase(folderName)
    .toWellFormed()
    .replaceAll(FORBIDDEN, '-')
    .slice(0, MAX_SLUG)
    .toWellFormed()
    .replaceAll(/^[.-]+|[.-]+$/g, '');
  if (slug === '') return 'vault';
  return isWindowsDevice(slug) ? `vault-${slug}` : slug;
}
