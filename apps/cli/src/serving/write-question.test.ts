import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryFolder } from '@grove/testing';
import type { VaultState } from '@grove/vault';
import { expect, it } from 'vitest';
import type { Run } from '../run.ts';
import { askForWrites } from './write-question.ts';

function terminal(isTTY = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  let said = '';
  stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const stop = new AbortController();
  return { run: { stdin, stderr, stop: stop.signal } as unknown as Run, stdin, stop, said: () => said };
}

function vault(slug: string): VaultState {
  return { slug, root: '/nowhere', stateDir: temporaryFolder('a state') } as unknown as VaultState;
}

const NONE = { vault: [] };

it.each([
  ['y', true],
  [' YES ', true],
  ['n', false],
  ['', false],
  ['yesterday', false],
])('takes %j as %s', async (line, wanted) => {
  const { run, stdin, said } = terminal();
  stdin.write(`${line}\n`);
  expect([...(await askForWrites(run, NONE, [vault('garden')]))]).toEqual([['garden', wanted]]);
  expect(said()).toContain('May clients change notes in garden? [y/N]');
});

it('asks about each vault that was not decided before', async () => {
  const { run, stdin, said } = terminal();
  const known = vault('known');
  writeFileSync(join(known.stateDir, 'writes.json'), '{"on":false}\n');
  const asked = askForWrites(run, NONE, [known, vault('new')]);
  stdin.write('y\n');
  expect([...(await asked)]).toEqual([['new', true]]);
  expect(said()).not.toContain('known');
});

it('asks nobody without a terminal, with --json, or where --writes says it', async () => {
  const vaults = [vault('one'), vault('two')];
  const away = terminal(false);
  expect((await askForWrites(away.run, NONE, vaults)).size).toBe(0);
  const here = terminal();
  expect((await askForWrites(here.run, { ...NONE, json: true }, vaults)).size).toBe(0);
  expect([...(await askForWrites(here.run, { ...NONE, writes: true }, vaults))]).toEqual([
    ['one', true],
    ['two', true],
  ]);
  expect(away.said() + here.said()).toBe('');
});

it('decides nothing when the input ends, or the process is asked to stop', async () => {
  const closed = terminal();
  closed.stdin.end();
  expect((await askForWrites(closed.run, NONE, [vault('one')])).size).toBe(0);
  const stopped = terminal();
  const asked = askForWrites(stopped.run, NONE, [vault('one')]);
  stopped.stop.abort();
  expect((await asked).size).toBe(0);
});
