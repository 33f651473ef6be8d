import { acceptDiskPath, encodePath, isGroveError, type VaultPath } from '@grove/core';

/** RFC 6570 template of a note's address; `+` lets the slashes of the path stand. */
export const NOTE_TEMPLATE = 'vault://note/{+path}';
/** Every tag in use. */
export const TAGS_URI = 'vault://tags';
/** Health of the vault. */
export const STATUS_URI = 'vault://status';
const PREFIX = 'vault://note/';

/** The address of a note: each segment percent-encoded. */
export function noteUri(path: VaultPath): string {
  return PREFIX + encodePath(path);
}

/** The path that an address names, or null when it cannot name a note. */
export function pathOfUri(uri: string): VaultPath | null {
  if (!uri.startsWith(PREFIX)) return null;
  try {
    return acceptDiskPath(decodeURIComponent(uri.slice(PREFIX.length)));
  } catch (error) {
    if (error instanceof URIError || isGroveError(error, 'bad_path')) return null;
    throw error;
  }
}
