import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch } from '../testing/vault-folder.ts';
import { allOf } from './discover.ts';

const BEFORE = 'Compost for the tomatoes.\n';
const AFTER = '[Compost](Garden/Compost.md) for the [tomatoes](Garden/Tomatoes.md).\n';

it('links are shown, added and taken back, also through the process that owns the vault', async () => {
  const scratch = makeScratch();
  onTestFinished(() => scratch.remove());
  const args = ['--vault', scratch.vault, '--data', scratch.data];
  const grove = async (...words: string[]) => await runGrove(['discover', ...words, ...args]);
  scratch.write('Log.md', BEFORE);
  const text = () => readFileSync(join(scratch.vault, 'Log.md'), 'utf8');
  const dry = await grove('Log', '--dry-run');
  expect(dry.stdout).toContain('Would be added: 2 links in 1 note.');
  expect((await grove('Log')).stderr).toContain('grove vault writes on');
  await runGrove(['vault', 'writes', 'on', ...args]);
  expect((await grove('Log')).stdout).toContain('Added: 2 links in 1 note.');
  expect(text()).toBe(AFTER);
  const server = await startServer(args);
  try {
    const back = JSON.parse((await grove('--undo', '--json')).stdout);
    expect(back).toMatchObject({ undo: true, links: 2, notes: [{ path: 'Log.md' }] });
    expect(text()).toBe(BEFORE);
    expect((await grove('--all')).stdout).toMatch(/^Added: /);
    expect(text()).toBe(AFTER);
  } finally {
    await server.stop();
  }
  for (const words of [[], ['Log', '--all']]) expect((await grove(...words)).code).toBe(2);
});

it('the answers of several calls are told as one', async () => {
  const answer = (path: string, next?: string) => ({
    notes: [{ path, links: [], links_total: 2 }],
    notes_total: 1,
    links: 2,
    commits: [path],
    left: [],
    left_total: 0,
    remarks: [],
    ...(next === undefined ? {} : { next }),
  });
  const asked: unknown[] = [];
  const all = await allOf(async (from) => {
    asked.push(from);
    return from === undefined ? answer('A.md', 'B.md') : answer(from, from === 'B.md' ? 'C.md' : undefined);
  });
  expect(asked).toEqual([undefined, 'B.md', 'C.md']);
  expect(all).toMatchObject({ notes_total: 3, links: 6, commits: ['A.md', 'B.md', 'C.md'] });
  expect(all).not.toHaveProperty('next');
});

it('a note that is written from the command line has its links when the command ends, where the vault wants them', async () => {
  const scratch = makeScratch();
  onTestFinished(() => scratch.remove());
  const args = ['--vault', scratch.vault, '--data', scratch.data];
  scratch.write('.grove/vault.yaml', 'discovery: wire\n');
  await runGrove(['vault', 'writes', 'on', ...args]);
  await runGrove(['trails', 'create', 'Home', '--allow-paths', 'Shown,Garden/Compost.md', ...args]);
  await runGrove(['write', 'Log.md', ...args], { input: BEFORE });
  await runGrove(['write', 'Shown/Log.md', ...args], { input: BEFORE });
  expect(readFileSync(join(scratch.vault, 'Log.md'), 'utf8')).toBe(AFTER);
  expect(readFileSync(join(scratch.vault, 'Shown/Log.md'), 'utf8')).toBe(
    '[Compost](../Garden/Compost.md) for the tomatoes.\n',
  );
});
