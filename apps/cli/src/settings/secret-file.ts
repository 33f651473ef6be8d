import { resolve } from 'node:path';
import { GroveError } from '@grove/core';
import { readSmallFile } from '../small-file.ts';

/** More than any secret has. */
const MOST_BYTES = 64 * 1024;
/** Where container systems put secrets, readable for every user of the container. */
const MOUNTED_SECRETS = '/run/secrets/';
/** The number of root's group. */
const ROOT = 0;

/**
 * The text of a file with a secret, to the letter. Every secret that a file may hold is read by this.
 *
 * @param file relative to `from`
 * @param called what the setting that names the file is known by
 * @returns with a sentence where others may read it too
 * @throws GroveError `bad_input` for a file that cannot be read, is no regular one, or holds nothing
 */
export function readSecretFile(
  from: string,
  file: string,
  called: string,
): { readonly text: string; readonly warnings: readonly string[] } {
  const path = resolve(from, file);
  const read = readSmallFile(path, MOST_BYTES);
  if (read.text === null) throw refused(called, `${file} ${read.reason}`);
  if (read.text.trim() === '') throw refused(called, `${file} holds nothing`);
  return { text: read.text, warnings: warningsIfOpen(path, read) };
}

/**
 * A sentence where others on this machine may read a file that holds a secret. Root's group, and one that has the number of
 * the user and so is the user's own, hold nobody else.
 */
export function warningsIfOpen(
  path: string,
  { mode, group }: { readonly mode: number; readonly group: number },
): readonly string[] {
  if (process.platform === 'win32' || path.startsWith(MOUNTED_SECRETS)) return [];
  const isShared = group !== ROOT && group !== process.getuid?.();
  if ((mode & 0o004) === 0 && !((mode & 0o040) !== 0 && isShared)) return [];
  return [`${path} holds a secret and others on this machine may read it: chmod 600 it.`];
}

function refused(called: string, what: string): GroveError {
  return new GroveError('bad_input', { name: called, reason: `${called}: ${what}` });
}
