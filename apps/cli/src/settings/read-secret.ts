import type { Run } from '../run.ts';
import { readSecretFile } from './secret-file.ts';
import type { SecretWords } from './secrets.ts';

/**
 * The secret itself; a file is read without the blanks around its text. Warns of a file that others may read.
 *
 * @returns null where none is set
 * @throws GroveError `bad_input` for a file that cannot be read or holds nothing
 */
export function readSecret(run: Run, { value, file, called }: SecretWords): string | null {
  return file === null ? value : secretOfFile(run, file, called).trim();
}

/** The same of a file, to the letter. */
export function secretOfFile({ from, stderr }: Run, file: string, called: string): string {
  const { text, warnings } = readSecretFile(from, file, called);
  for (const warning of warnings) stderr.write(`${warning}\n`);
  return text;
}
