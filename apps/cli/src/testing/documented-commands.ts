import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scratch } from './vault-folder.ts';

/** The blocks of a page that are written for a shell, in their order. */
export function shellBlocks(page: string): readonly string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/**
 * Runs lines of a page as a shell would, with `grove` for the program of this checkout, on the vault of a test.
 *
 * @param more variables beside those, and the folder to run in
 * @returns stdout; rejects when a line fails
 * @example expect(await runDocumented(scratch, ['grove list'])).not.toBe('');
 */
export async function runDocumented(
  scratch: Scratch,
  lines: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const script = `grove() { "$NODE" "$MAIN" "$@"; }\n${lines.join('\n')}`;
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/dev/null/home',
      NODE: process.execPath,
      MAIN: join(import.meta.dirname, '..', 'main.ts'),
      GROVE_VAULT: scratch.vault,
      GROVE_DATA: scratch.data,
      GROVE_EMBEDDER: 'off',
      ...env,
    },
  });
  return stdout;
}
