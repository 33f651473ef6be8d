import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

const folder = fileURLToPath(new URL('../../../../clients/', import.meta.url));
const INSTALL = 'clients/install.sh';

/** Programs that we did not write; paths. */
export const CLIENTS = {
  conformance: join(folder, 'node_modules/.bin/conformance'),
  /** What the suite scores, a file for each revision of the protocol. */
  requirements: join(folder, 'node_modules/@modelcontextprotocol/conformance/requirements'),
  inspector: join(folder, 'node_modules/.bin/mcp-inspector'),
  python: join(folder, '.venv/bin/python'),
} as const;

/**
 * A `describe` for tests that run the programs of `clients/`. Where these are not installed as they are pinned, the
 * tests are skipped by a name that holds the install line; under `CI=true` that is a failure instead.
 */
export function describeWithClients(name: string, body: () => void): void {
  if (installed()) describe(name, body);
  else if (process.env.CI === 'true') {
    it(`${name}: needs the programs of clients/`, () => {
      throw new Error(INSTALL);
    });
  } else describe.skip(`${name} (${INSTALL})`, body);
}

function installed(): boolean {
  return (
    sameText('package-lock.json', 'node_modules/.installed') &&
    sameText('requirements.txt', '.venv/installed')
  );
}

function sameText(pinned: string, stamp: string): boolean {
  const found = join(folder, stamp);
  return existsSync(found) && readFileSync(found, 'utf8') === readFileSync(join(folder, pinned), 'utf8');
}
