import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryFolder, writeFiles } from '@grove/testing';
import { expect, it } from 'vitest';
import type { Run } from '../run.ts';
import { chooseFound } from './choose-found.ts';

/** A terminal on a machine whose Obsidian knows these vaults. */
function terminal(names: readonly string[], isTTY = true) {
  const home = temporaryFolder('a home');
  const paths = names.map((name) => join(home, name));
  for (const path of paths) writeFiles(path, { 'A.md': 'a' });
  mkdirSync(join(home, '.config/obsidian'), { recursive: true });
  writeFileSync(
    join(home, '.config/obsidian/obsidian.json'),
    JSON.stringify({ vaults: Object.fromEntries(paths.map((path) => [path, { path }])) }),
  );
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  let said = '';
  stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const run = {
    stdin,
    stderr,
    stop: new AbortController().signal,
    environment: { HOME: home },
    from: home,
    settings: { dataDir: join(home, 'data') },
  } as unknown as Run;
  return { run, stdin, paths, said: () => said };
}

const NONE = { vault: [] };

it('opens the folder of notes that is chosen', async () => {
  const { run, stdin, paths, said } = terminal(['Work', 'Garden']);
  const chosen = chooseFound(run, NONE);
  stdin.write('2\n');
  expect(await chosen).toBe(paths[1]);
  expect(said()).toContain(`1  ${paths[0]} (Obsidian, 1 note)\n   2  ${paths[1]} (Obsidian, 1 note)\n`);
  expect(said()).toContain('3  a small sample vault');
});

it.each(['3', ''])('opens the sample vault, the last choice, with %j', async (line) => {
  const { run, stdin } = terminal(['Work', 'Garden']);
  const chosen = chooseFound(run, NONE);
  stdin.write(`${line}\n`);
  expect(await chosen).toBeNull();
});

it('asks again after what is no choice', async () => {
  const { run, stdin, paths, said } = terminal(['Work']);
  const chosen = chooseFound(run, NONE);
  for (const [count, line] of ['0', '3', '1.5', 'work', '1'].entries()) {
    while (said().split('Which one').length <= count + 1)
      await new Promise((resolve) => setImmediate(resolve));
    stdin.write(`${line}\n`);
  }
  expect(await chosen).toBe(paths[0]);
});

it('opens nothing when the input ends', async () => {
  const { run, stdin } = terminal(['Work']);
  stdin.end();
  await expect(chooseFound(run, NONE)).rejects.toMatchObject({ code: 'vault_none' });
});

it('asks nobody away from a terminal, with --json, or where nothing is found', async () => {
  const [away, here, empty] = [terminal(['Work'], false), terminal(['Work']), terminal([])];
  expect(await chooseFound(away.run, NONE)).toBeNull();
  expect(await chooseFound(here.run, { ...NONE, json: true })).toBeNull();
  expect(await chooseFound(empty.run, NONE)).toBeNull();
  expect(away.said() + here.said() + empty.said()).toBe('');
});
