import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import type { Run } from '../run.ts';
import { secretOfFile } from './read-secret.ts';
import { readSecretFile, warningsIfOpen } from './secret-file.ts';
import { settingsOf } from './settings.ts';

/** What makes something at a path, and what is said of it. */
const REFUSED: Readonly<Record<string, readonly [(path: string) => void, string]>> = {
  'what is not there': [() => {}, 'cannot be read (ENOENT)'],
  'a folder': [(path) => mkdirSync(path), 'is no file'],
  'a huge file': [
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 40);
    },
    'has more than 65536 bytes',
  ],
  'an empty file': [(path) => writeFileSync(path, ' \n'), 'holds nothing'],
  'no text': [(path) => writeFileSync(path, Buffer.from([0xff])), 'is not UTF-8'],
};

describe('a file with a secret', () => {
  it.each(Object.entries(REFUSED))('is refused where it is %s', (_what, [make, says]) => {
    const from = temporaryFolder('secret');
    make(join(from, 'key'));
    const error = { code: 'bad_input', message: expect.stringContaining(`GROVE_X_FILE: key ${says}`) };
    expect(() => readSecretFile(from, 'key', 'GROVE_X_FILE')).toThrow(expect.objectContaining(error));
  });

  it('is read to the letter, and told of where others may read it', () => {
    const from = temporaryFolder('secret');
    const path = join(from, 'key');
    writeFileSync(path, ' abc \n', { mode: 0o600 });
    const said: string[] = [];
    const stderr = { write: (text: string) => said.push(text) };
    expect(secretOfFile({ from, stderr } as unknown as Run, 'key', 'X')).toBe(' abc \n');
    expect(said).toEqual([]);
    chmodSync(path, 0o604);
    secretOfFile({ from, stderr } as unknown as Run, 'key', 'X');
    expect(said).toEqual([expect.stringMatching(/others.*chmod 600 it\.\n$/)]);
    const environment = { GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY_FILE: path };
    expect(settingsOf({ environment, from }, null).warnings).toHaveLength(1);
  });

  it.each([
    ['of another group', 0o640, 54_321, 1],
    ["of root's group", 0o640, 0, 0],
    ["of the user's own group", 0o640, process.getuid?.() ?? 0, 0],
    ['of another group that may not read', 0o600, 54_321, 0],
  ])('where it is %s', (_what, mode, group, warnings) => {
    expect(warningsIfOpen('/home/ann/key', { mode, group })).toHaveLength(warnings);
  });
});

describeWithPrograms('a pipe as a file with a secret', ['mkfifo'], () => {
  it('is refused, and not waited for', () => {
    const from = temporaryFolder('secret');
    execFileSync('mkfifo', [join(from, 'key')]);
    const environment = { GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY_FILE: 'key' };
    expect(() => settingsOf({ environment, from }, null)).toThrow(/GROVE_EMBEDDER_KEY_FILE: key is no file/);
  });
});
