import { readFileSync } from 'node:fs';
import { writeFiles } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { runGrove } from './testing/processes.ts';
import { type RunningServer, startServer } from './testing/running-server.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

const PAGE = readFileSync(new URL('../../../docs/sharing.md', import.meta.url), 'utf8');
/** The note of the sample vault that the page names. */
const NAMED = readFileSync(
  new URL('../sample-vault/notes/Reference/Compost ratios.md', import.meta.url),
  'utf8',
);

let scratch: Scratch;
let server: RunningServer;
let admin: string;
beforeAll(async () => {
  scratch = makeScratch();
  scratch.write('Reference/Compost ratios.md', NAMED);
  const where = ['--vault', scratch.vault, '--data', scratch.data];
  server = await startServer(where);
  admin = (await runGrove(['keys', 'create', 'admin', '--scopes', 'admin', ...where])).stdout.trim();
  writeFiles(scratch.folder, { 'passphrase.txt': 'correct horse battery\n' });
});
afterAll(async () => {
  await server.stop();
  scratch.remove();
});

/** The commands of the page, by the heading that they stand below. */
function commands(): readonly (readonly [heading: string, lines: readonly string[]])[] {
  return PAGE.split(/^## /m).flatMap((part) => {
    const [heading = ''] = part.split('\n', 1);
    const blocks = shellBlocks(part);
    const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => line !== '');
    return lines.length === 0 ? [] : [[heading, lines] as const];
  });
}

/** Runs a line as a shell would, with `grove` for the program of this checkout. */
function run(line: string): Promise<string> {
  const env = { GROVE: server.told.local_url, KEY: admin };
  return runDocumented(scratch, [line], { cwd: scratch.folder, env });
}

/** Makes the trail that the page is about, where a part of the page has ended it. */
async function makeTrail(): Promise<void> {
  await fetch(`${server.told.local_url}/v1/trails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Allotment', allow_tags: ['garden'] }),
  });
}

// Each command is a process of its own, of which a busy machine runs one in many seconds.
describe('docs/sharing.md', { timeout: 600_000 }, () => {
  it.each(commands())('names commands that work: %s', async (heading, lines) => {
    if (heading !== 'In one minute') await makeTrail();
    for (const line of lines) {
      const answer = await run(line);
      expect(answer, line).not.toBe('');
      if (line.startsWith('curl')) expect(JSON.parse(answer), line).not.toHaveProperty('code');
    }
  });

  it('says of each option what the command says', async () => {
    const help = await run('grove trails create --help');
    const documented = [...PAGE.matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/--[\w-]+/g)].map(([flag]) => flag),
    );
    const flags = [...help.matchAll(/^ {2}(--[\w-]+) </gm)]
      .map(([, flag = '']) => flag)
      .filter((flag) => !['--vault', '--data', '--config'].includes(flag));
    expect(documented.sort()).toEqual(flags.sort());
  });
});
