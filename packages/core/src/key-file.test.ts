import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readKeyFile } from './key-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grove-core-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file with a secret', () => {
  it('is made for its owner alone on first use, and is the same from then on', async () => {
    const path = join(folder, 'a.key');
    const made = readKeyFile(path);
    expect(made.known).toBe(false);
    expect(made.key.length).toBe(32);
    expect(readKeyFile(path)).toEqual({ key: made.key, known: true });
    expect(await readdir(folder)).toEqual(['a.key']);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is made anew where it was cut off', async () => {
    const path = join(folder, 'a.key');
    await writeFile(path, Buffer.alloc(31));
    const { key, known } = readKeyFile(path);
    expect(known).toBe(false);
    expect(readKeyFile(path)).toEqual({ key, known: true });
    expect(await readdir(folder)).toEqual(['a.key']);
  });

  it('tells why it cannot be read, and leaves what is there', () => {
    expect(() => readKeyFile(folder)).toThrow(/EISDIR/);
    expect(() => readKeyFile(join(folder, 'missing', 'a.key'))).toThrow(/ENOENT/);
  });
});
