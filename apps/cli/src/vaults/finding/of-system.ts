import { dirname } from 'node:path';

/** Folders that are no vault, though folders in them may be. */
const SHARED = /^\/(?:home|media|mnt|opt|private|root|run|srv|tmp|Users|var|Volumes)$|^[a-z]:[/\\]Users$/i;
/** Folders in which no vault is. */
const CLOSED =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|Library|proc|sbin|sys|System|usr)(?:\/|$)|^[a-z]:[/\\](?:Windows|Program Files[^/\\]*)(?:[/\\]|$)/i;

/**
 * True for a folder of the system's own, such as `/`, `/proc` or what is in it. A list that names one as a vault is wrong, or
 * somebody else's.
 *
 * @example isOfSystem('/proc/1') // true
 */
export function isOfSystem(path: string): boolean {
  return dirname(path) === path || SHARED.test(path) || CLOSED.test(path);
}
