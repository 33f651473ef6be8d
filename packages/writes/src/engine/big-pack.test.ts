import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { fillWithBigPack, noteOf } from '../testing/big-pack.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import type { WritesMeasured } from '../testing/write-and-measure.ts';

const script = fileURLToPath(new URL('../testing/write-and-measure.ts', import.meta.url));
const MB = 1024 * 1024;
const NOTES = 20_000;

describeWithPrograms('a vault of 20,000 notes with a big pack', ['git'], () => {
  it('is written without reading more than a small part of the pack, in bounded memory', async () => {
    const git = SystemGit.init(memoryFolder('vault'));
    const stateDir = join(memoryFolder('state'), 'vault');
    mkdirSync(stateDir);
    const paths = Array.from({ length: 12 }, (_, at) => noteOf((at * 7919) % NOTES));
    const packBytes = await fillWithBigPack(git, NOTES, 66 * MB, paths);
    expect(packBytes).toBeGreaterThan(66 * MB);
    // Nothing beside it in its process: its memory is looked at.
    const { stdout } = await promisify(execFile)(process.execPath, [script, git.dir, stateDir, ...paths]);
    const { read, rssGrowth } = JSON.parse(stdout) as WritesMeasured;
    // The first reads the pack's index and git's own, 2.4 MB together, and none after it.
    expect(read[0] ?? 0).toBeLessThan(6 * MB);
    for (const bytes of read.slice(1)) expect(bytes).toBeLessThan(2 * MB);
    expect(rssGrowth).toBeLessThan(60 * MB);
    expect(git.run('rev-list', '--count', 'HEAD').trim()).toBe('13');
    expect(git.run('show', `HEAD:${paths.at(-1)}`)).toContain('One line more.');
    expect(git.run('diff', '--cached', '--name-only')).toBe('');
    expect(git.run('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  });
});
