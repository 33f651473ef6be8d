import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { type RunningServer, startServer } from './testing/running-server.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

const PAGE = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const SESSION = /^```console\n([\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '';
const COMMANDS = SESSION.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
const SAID: readonly (string | RegExp)[] = [
  'Projects/Rain barrel automation.md',
  'Section "Wiring"',
  /^Daily\/\d{4}-\d\d-\d\d\.md/,
  'garden',
  'Maps/Garden map.md',
  'PTFE tape',
  'sample-vault',
  'each change is a commit',
  'Turned the compost.',
  'hemp',
  'script',
  '/invite/',
  'All is well',
  'grove',
];

let scratch: Scratch;
let server: RunningServer;
let env: Readonly<Record<string, string>>;
// As after the first command of the page: no vault named, so the sample.
beforeAll(async () => {
  scratch = makeScratch();
  server = await startServer(['--data', scratch.data]);
  const home = join(scratch.folder, 'home');
  mkdirSync(home);
  env = { GROVE_VAULT: '', HOME: home, PATH: `${join(home, '.local', 'bin')}:${process.env.PATH}` };
});
afterAll(async () => {
  await server.stop();
  scratch.remove();
});

const run = (line: string): Promise<string> =>
  runDocumented(
    scratch,
    [line.replaceAll('bin/grove', 'grove').replaceAll('http://127.0.0.1:8420', server.told.local_url)],
    {
      env,
    },
  );

describe('README.md', { timeout: 300_000 }, () => {
  it('asks by a script for what is there, and hears that a note is as it was', async () => {
    const block = shellBlocks(PAGE).find((lines) => lines.includes('curl')) ?? '';
    const said = await run(block);
    expect(said).toContain('"path":"Projects/Rain barrel automation.md"');
    expect(said).toContain('# Rain barrel automation');
    expect(said.trimEnd().endsWith('304')).toBe(true);
  });

  it.each(COMMANDS.map((line, at) => [line, SAID[at]!] as const))('runs: %s', async (line, said) => {
    expect(await run(line)).toMatch(said);
  });
});
