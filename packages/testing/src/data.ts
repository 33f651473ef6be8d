import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Path of other people's data (`vaults/kepano`), or null where it is not. It is looked for in
 * `GROVE_TEST_DATA`, else beside the repository in `../shared`; it is never part of the project.
 */
export function testData(path: string): string | null {
  const file = join(process.env.GROVE_TEST_DATA || join(repository, '..', 'shared'), path);
  return existsSync(file) ? file : null;
}

/** A `describe` that is skipped, by a name that says why, where the data is not there. */
export function describeWithData(name: string, path: string, body: (file: string) => void): void {
  const file = testData(path);
  if (file !== null) describe(name, () => body(file));
  else describe.skip(`${name} (no ${path} in GROVE_TEST_DATA)`, () => body(''));
}
