import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOwnWords, ownCommand } from './own-command.ts';

let folder: string;
let command: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own command-'));
  for (const name of ['checkout/bin', 'linked', 'other']) mkdirSync(join(folder, name), { recursive: true });
  command = join(folder, 'checkout/bin/grove');
  for (const program of [command, join(folder, 'other/grove')]) {
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
  }
  symlinkSync(command, join(folder, 'linked/grove'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (...names: string[]): string => names.map((name) => join(folder, name)).join(delimiter);

describe('ownCommand', () => {
  it('is grove where the PATH leads to this one first', () => {
    expect(ownCommand({ command, from: folder, path: path('none', 'linked', 'other') })).toBe('grove');
  });

  it('is the launcher where the PATH leads nowhere, or to another program of that name', () => {
    for (const names of [['none'], ['other', 'linked']]) {
      const here = { command, path: path(...names) };
      expect(ownCommand({ ...here, from: join(folder, 'checkout') })).toBe('bin/grove');
      expect(ownCommand({ ...here, from: join(folder, 'checkout/bin') })).toBe('./grove');
      expect(ownCommand({ ...here, from: join(folder, 'other') })).toBe(`'${command}'`);
    }
  });
});

describe('inOwnWords', () => {
  it.each([
    ['Run "grove reindex"; then grove start.', 'Run "bin/grove reindex"; then bin/grove start.'],
    ['Use a key that has it: grove keys create NAME', 'Use a key that has it: bin/grove keys create NAME'],
    ['See grove history, set it with grove set', 'See bin/grove history, set it with bin/grove set'],
    ['The grove starts at /opt/grove start', 'The grove starts at /opt/grove start'],
    ['bin/grove link', 'bin/grove link'],
  ])('%s', (text, expected) => {
    expect(inOwnWords(text, 'bin/grove')).toBe(expected);
  });
});
