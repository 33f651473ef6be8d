import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GroveError, isGroveError } from '@grove/core';
import type { Run } from '../run.ts';
import { readText } from '../writing/read-text.ts';
import type { SecretWords } from './secrets.ts';

/** Where container systems put secrets, readable for every user of the container. */
const MOUNTED_SECRETS = '/run/secrets/';

/**
 * The secret itself; a file is read without the blanks around its text. Warns of a file that everyone may read.
 *
 * @returns null where none is set
 * @throws GroveError `bad_input` for a file that cannot be read or holds nothing
 */
export async function readSecret(run: Run, { value, file, called }: SecretWords): Promise<string | null> {
  if (file === null) return value;
  const secret = (await readSecretFile(run, file, called)).trim();
  if (secret === '') throw refused(called, `${file} holds nothing`);
  return secret;
}

/** The text of a file with a secret, to the letter. */
export async function readSecretFile(run: Run, file: string, called: string): Promise<string> {
  try {
    const text = await readText(run, file);
    await warnIfOpen(run, file);
    return text;
  } catch (error) {
    if (!isGroveError(error, 'bad_input')) throw error;
    throw refused(called, String(error.data.reason), error);
  }
}

async function warnIfOpen({ from, stderr }: Run, file: string): Promise<void> {
  const path = resolve(from, file);
  if (process.platform === 'win32' || path.startsWith(MOUNTED_SECRETS)) return;
  const { mode } = await stat(path);
  if ((mode & 0o004) !== 0)
    stderr.write(`${path} holds a secret and everyone on this machine may read it: chmod 600 it.\n`);
}

function refused(called: string, what: string, cause?: unknown): GroveError {
  return new GroveError('bad_input', { name: called, reason: `${called}: ${what}` }, { cause });
}
