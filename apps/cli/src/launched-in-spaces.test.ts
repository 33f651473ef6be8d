import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collect, end, temporaryFolder, writeFiles } from '@grove/testing';
import { beforeEach, expect, it } from 'vitest';
import { NO_HOME } from './testing/processes.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
/** What a build of the native module leaves, and what only tests and benches read. */
const LEFT_OUT = new Set(['target', 'testing', 'fixtures']);

let base: string;
let checkout: string;
beforeEach(() => {
  base = temporaryFolder('a folder with spaces');
  checkout = join(base, 'Program Files', 'the grove');
  for (const part of ['bin', 'apps', 'packages', 'package.json', 'pnpm-lock.yaml'])
    cpSync(join(CHECKOUT, part), join(checkout, part), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (path) => !(LEFT_OUT.has(basename(path)) && !path.includes('node_modules')),
    });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(checkout, 'node_modules'));
  // Older than every note of an installation.
  utimesSync(join(checkout, 'pnpm-lock.yaml'), 1, 1);
  writeFiles(join(base, 'My Notes'), { 'A note.md': 'The heron stands in the reeds.\n' });
});

function launch(...words: readonly string[]) {
  const args = [...words, '--vault', join(base, 'My Notes'), '--data', join(base, 'my data'), '--json'];
  const child = spawn(join(checkout, 'bin', 'grove'), args, {
    cwd: base,
    env: { PATH: process.env.PATH, HOME: NO_HOME, GROVE_PORT: '0', GROVE_EMBEDDER: 'off' },
  });
  return { child, stdout: collect(child.stdout), stderr: collect(child.stderr) };
}

async function finished(...words: readonly string[]) {
  const { child, stdout, stderr } = launch(...words);
  const [code] = await once(child, 'close');
  return { code, answer: JSON.parse(stdout() || 'null'), stderr: stderr() };
}

it('serves from a checkout, a vault and a data folder with spaces in their paths (user-pains 51)', async () => {
  const server = launch('start');
  while (!server.stdout().includes('\n')) {
    expect(server.child.exitCode, server.stderr()).toBeNull();
    await Promise.race([once(server.child.stdout, 'data'), once(server.child, 'close')]);
  }
  const told = JSON.parse(server.stdout());
  expect(told).toMatchObject({ ready: true, vaults: [{ slug: 'my-notes', notes: 1 }] });
  expect(told.vaults[0].command).toBe(join(checkout, 'bin', 'grove'));
  const found = await finished('search', 'heron');
  expect(found).toMatchObject({ code: 0, stderr: '', answer: { hits: [{ path: 'A note.md' }] } });
  // A second server of the vault is refused, naming the first.
  expect(await finished('start')).toMatchObject({
    code: 1,
    answer: {
      error: {
        code: 'vault_owned',
        next: `A Grove server already serves this vault. Stop it first: kill ${told.pid}`,
      },
    },
  });
  await end(server.child);
  expect(server.child.exitCode).toBe(0);
});
