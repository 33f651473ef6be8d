import { chmodSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { makeFolder, type TestFolder, writeFiles } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOwnWords, ownCommand } from './own-command.ts';

let made: TestFolder;
let folder: string;
let command: string;
beforeAll(() => {
  made = makeFolder('own command');
  folder = made.path;
  command = join(folder, 'checkout/bin/grove');
  writeFiles(folder, { 'checkout/bin/grove': '#!/bin/sh\n', 'other/grove': '#!/bin/sh\n', 'linked/x': '' });
  for (const program of [command, join(folder, 'other/grove')]) chmodSync(program, 0o755);
  symlinkSync(command, join(folder, 'linked/grove'));
});
afterAll(() => made.remove());

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
    ['grove sync on, grove backup create FILE', 'bin/grove sync on, bin/grove backup create FILE'],
    ['bin/grove link', 'bin/grove link'],
  ])('%s', (text, expected) => {
    expect(inOwnWords(text, 'bin/grove')).toBe(expected);
  });
});
