import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { collect } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';

describe.runIf(process.platform !== 'win32')('a process that may open no more files', () => {
  it('says so for a note, and keeps every note until it may again', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'Folder/B.md': 'b' });
    const script = fileURLToPath(new URL('../testing/open-files-child.ts', import.meta.url));
    const child = spawn('sh', [
      '-c',
      'ulimit -n 80 && exec "$0" "$@"',
      process.execPath,
      script,
      folder.root,
      folder.stateDir,
    ]);
    const output = collect(child.stdout);
    const errors = collect(child.stderr);
    const [code] = await once(child, 'close');
    expect(errors()).toBe('');
    expect(code).toBe(0);
    const [exhausted, free] = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const kept = { paths: ['A.md', 'Folder/B.md'], skipped: [], state: 'ready' };
    expect(exhausted).toEqual({
      read: 'files_exhausted',
      part: 'files_exhausted',
      whole: 'files_exhausted',
      ...kept,
    });
    expect(free).toEqual({ read: 'done', part: 'done', whole: 'done', ...kept });
  });
});
