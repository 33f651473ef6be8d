import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runDocumented } from '../testing/documented-commands.ts';
import { runGrove, spawnGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
let file: string;
beforeEach(() => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
  file = join(scratch.folder, 'grove backup.tar.gz');
});
afterEach(() => scratch.remove());

/** Runs it and gives what it prints. Throws what it complains of when it fails. */
async function grove(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGrove(words);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

/** Runs what must fail, and gives the error of its JSON. */
async function failure(...words: string[]): Promise<unknown> {
  const { code, stdout } = await runGrove([...words, '--json']);
  expect(code).toBe(1);
  return JSON.parse(stdout).error;
}

describe('grove backup', () => {
  it('takes keys, the ledger and the history that Grove keeps while a server runs, and brings them back', async () => {
    await grove('vault', 'writes', 'on', ...args);
    const key = (await grove('keys', 'create', 'laptop', ...args)).trim();
    await grove('append', 'Garden/Compost.md', 'Turned.', ...args);
    const log = await grove('history', 'Garden/Compost.md', '--json', ...args);
    const running = await startServer(args);
    try {
      const made = JSON.parse(await grove('backup', 'create', file, '--json', '--data', scratch.data));
      expect(made).toMatchObject({ file, vaults: ['my-garden'], left_out: [] });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await failure('backup', 'restore', file, '--force', '--data', scratch.data)).toMatchObject({
        code: 'vault_owned',
        pid: running.told.pid,
      });
    } finally {
      await running.stop();
    }
    rmSync(scratch.data, { recursive: true });
    expect(await grove('backup', 'restore', file, '--data', scratch.data)).toContain(`into ${scratch.data}.`);
    expect(await grove('history', 'Garden/Compost.md', '--json', ...args)).toBe(log);
    expect(await grove('vault', 'writes', ...args)).toContain('Clients may change notes');
    const server = await startServer(args);
    try {
      const answer = await server.get('/v1/notes/Garden/Compost.md', key);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Turned.')]);
    } finally {
      await server.stop();
    }
    expect(readdirSync(scratch.folder).sort()).toEqual(['My Garden', 'data', 'grove backup.tar.gz']);
  });

  it('comes out of one machine by stdout and into another by stdin', async () => {
    await grove('keys', 'create', 'laptop', ...args);
    const env = { OUT: file, NEW: join(scratch.folder, 'new data') };
    const said = await runDocumented(
      scratch,
      [
        'grove backup create - > "$OUT"',
        'grove backup verify - < "$OUT"',
        'grove backup restore - --data "$NEW" --json < "$OUT"',
      ],
      { env },
    );
    expect(said).toContain('The backup is whole');
    expect(JSON.parse(said.split('\n')[1]!)).toMatchObject({
      vaults: [{ slug: 'my-garden', folder: scratch.vault, folder_is_there: true, unfinished_writes: 0 }],
    });
    expect(existsSync(join(env.NEW, 'control.db'))).toBe(true);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing behind at %s', async (signal) => {
    await grove('keys', 'create', 'laptop', ...args);
    writeFileSync(join(scratch.data, 'big'), randomBytes(96e6));
    const child = spawnGrove(['backup', 'create', file, ...args]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = collect(child.stderr);
    const closed = once(child, 'close');
    const begun = () => readdirSync(scratch.folder).some((name) => name.startsWith('.unfinished-'));
    await vi.waitFor(() => expect(begun()).toBe(true), { timeout: 60_000, interval: 20 });
    child.kill(signal);
    expect([await closed, said()]).toEqual([[1, null], expect.stringContaining('it was stopped')]);
    expect(readdirSync(scratch.folder).sort()).toEqual(['My Garden', 'data']);
  });

  it('replaces a backup only when it is told to, and says what is wrong with a file', async () => {
    await grove('keys', 'create', 'laptop', ...args);
    writeFileSync(file, 'mine');
    expect(await failure('backup', 'create', file, ...args)).toMatchObject({ code: 'backup_failed' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await failure('backup', 'verify', file)).toMatchObject({ code: 'backup_unreadable' });
    expect(await failure('backup', 'restore', `${file}.none`, ...args)).toMatchObject({
      message: 'The backup cannot be used: there is no such file.',
    });
    await grove('backup', 'create', file, '--force', ...args);
    expect(JSON.parse(await grove('backup', 'verify', file, '--json'))).toMatchObject({ format: 1 });
    expect(await failure('backup', 'restore', file, ...args)).toMatchObject({ code: 'restore_refused' });
  });
});
