import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
beforeEach(() => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterEach(() => scratch.remove());

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
async function json(words: readonly string[], input?: string): Promise<any> {
  const { stdout } = await runGrove([...words, ...args, '--json'], input === undefined ? {} : { input });
  return JSON.parse(stdout);
}

describe('the past of a vault on the command line', () => {
  it('is listed, read, and undone by key, also through the process that owns the vault', async () => {
    await json(['vault', 'writes', 'on']);
    await json(['write', 'New.md'], 'one\n');
    await json(['append', 'New.md', 'two']);
    const { commits } = await json(['history', 'New.md', '--diff', '--by', 'owner']);
    expect(commits).toMatchObject([
      { subject: 'Append to New.md', notes: [{ diff: expect.stringContaining('+two') }] },
      { subject: 'Write New.md', key: 'owner:owner' },
    ]);
    expect((await json(['get', 'New.md', '--revision', 'previous'])).content).toBe('one\n');
    const wish = ['revert', '--key', 'owner:owner', '--since', '1h'];
    expect(await json([...wish, '--dry-run'])).toMatchObject({ dry_run: true, commits: 2, undone_total: 1 });
    expect(readFileSync(join(scratch.vault, 'New.md'), 'utf8')).toContain('two');
    const server = await startServer(args);
    try {
      expect((await json(['history', '--limit', '1'])).commits).toHaveLength(1);
      expect(await json(wish)).toMatchObject({ undone: [{ path: 'New.md', change: 'removed' }] });
    } finally {
      await server.stop();
    }
    expect((await json(['get', 'New.md'])).error.code).toBe('note_not_found');
    const { code, stderr } = await runGrove(['revert', '--key', 'x', ...args]);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('--since')]);
  });
});
