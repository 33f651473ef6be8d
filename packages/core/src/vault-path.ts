import { GroveError } from './errors.ts';
import { stripEnd } from './strip-end.ts';

declare const vaultPath: unique symbol;
declare const folderPath: unique symbol;

/**
 * Path of a note inside its vault, parsed once at the edge: NFC, `/` between segments, no traversal, no
 * hidden segment, no name that Windows treats as a device or stream, ending in `.md`.
 */
export type VaultPath = string & { readonly [vaultPath]: true };

/** Path of a folder inside the vault by the same rules; `''` is the vault itself. */
export type FolderPath = string & { readonly [folderPath]: true };

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file: with or without an extension, also COM¹.
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// Control characters and `<>:"|?*` are refused by Windows; ":" also opens an NTFS stream.
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"|?*\\]/;
// Characters that make two names look the same or reverse their reading order.
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

// Printable ASCII without a backslash, no name empty or hidden, with ".md" behind another sign.
const PLAIN_NOTE = /^(?:[ -\-0-[\]-~][ -.0-[\]-~]*\/)*[ -\-0-[\]-~][ -.0-[\]-~]*\.md$/i;

/**
 * Parses the path of a note. Throws `bad_path` with the reason.
 *
 * @example parseVaultPath('Projects/Grove.md')
 */
export function parseVaultPath(input: string): VaultPath {
  const path = parseSegments(input);
  if (!/\.md$/i.test(path)) throw refused(input, 'a note ends in ".md"');
  if (/^\.md$/i.test(path.slice(path.lastIndexOf('/') + 1))) throw refused(input, 'the file name is empty');
  return path as VaultPath;
}

/** Parses the path of a folder; `''`, `/` and `.` mean the vault itself. Throws `bad_path`. */
export function parseFolderPath(input: string): FolderPath {
  const trimmed = stripEnd(input, '/');
  if (trimmed === '' || trimmed === '.') return '' as FolderPath;
  return parseSegments(trimmed) as FolderPath;
}

/**
 * The path of a note as the disk spells it, if it can be one: a name found by a scan may hold characters
 * that Grove would never create (`:` or `?` on Linux) and is still a note. Throws `bad_path` for what must
 * never be read: traversal, hidden segments, control characters, invalid UTF-8.
 */
export function acceptDiskPath(input: string): VaultPath {
  // Nearly every path: a sweep asks for all of them.
  if (input.length <= MAX_PATH_BYTES && input[1] !== ':' && PLAIN_NOTE.test(input)) return input as VaultPath;
  const path = checkShape(input);
  for (const segment of path.split('/')) {
    if (segment.startsWith('.')) throw refused(input, 'a hidden file or folder is out of reach');
    if (/[\u0000-\u001f\u007f]/.test(segment)) throw refused(input, 'it holds a control character');
  }
  if (!/[^/]\.md$/i.test(path)) throw refused(input, 'a note ends in ".md"');
  return path as VaultPath;
}

/** The file name without folders and `.md`. */
export function noteName(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1, -3);
}

/** The folder that holds the note; `''` at the top. */
export function folderOf(path: VaultPath | FolderPath): FolderPath {
  const slash = path.lastIndexOf('/');
  return (slash < 0 ? '' : path.slice(0, slash)) as FolderPath;
}

/** True when `path` is `folder` or lies below it, by whole segments. */
export function isWithin(path: string, folder: FolderPath): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/**
 * A path as it stands in an address: each segment percent-encoded, the slashes kept.
 *
 * @example encodePath('Beds/Bed 1.md') // 'Beds/Bed%201.md'
 */
export function encodePath(path: VaultPath): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function parseSegments(input: string): string {
  const path = checkShape(input);
  for (const segment of path.split('/')) {
    if (segment.startsWith('.')) throw refused(input, 'a hidden file or folder is out of reach');
    if (FORBIDDEN.test(segment)) throw refused(input, 'it holds a character that not every system can store');
    if (INVISIBLE.test(segment)) throw refused(input, 'it holds an invisible character');
    if (/[. ]$/.test(segment) || /^ /.test(segment))
      throw refused(input, 'a name starts or ends with a space or ends with a dot');
    if (isWindowsDevice(segment)) throw refused(input, 'it is the name of a Windows device');
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      throw refused(input, 'a name is longer than 255 bytes');
  }
  return path;
}

/** True for a file name that Windows takes for a device, with or without an extension. */
export function isWindowsDevice(name: string): boolean {
  return WINDOWS_DEVICE.test(name);
}

function checkShape(input: string): string {
  if (input === '') throw refused(input, 'it is empty');
  if (!input.isWellFormed()) throw refused(input.toWellFormed(), 'it is not valid Unicode');
  const path = input.normalize('NFC');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw refused(`${path.slice(0, 80)}…`, 'it is longer than 1,024 bytes');
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw refused(path, 'it is absolute');
  if (path.includes('\\')) throw refused(path, 'it holds a backslash');
  for (const segment of path.split('/')) {
    if (segment === '') throw refused(path, 'a folder name is empty');
    if (segment === '.' || segment === '..') throw refused(path, 'it leaves its folder');
  }
  return path;
}

function refused(path: string, reason: string): GroveError {
  return new GroveError('bad_path', { path, reason });
}
