import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, spawnScript, temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { acquireOwnership, readOwner } from './ownership.ts';

const CHILD = fileURLToPath(new URL('../testing/owner-child.ts', import.meta.url));

const lockFolder = () => join(temporaryFolder('owner'), 'grove');

/** Starts a process that asks for the vault; answers it with the first line that it prints. */
async function ask(lockDir: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawnScript(CHILD, [lockDir]);
  const [chunk] = await once(child.stdout, 'data');
  return { child, line: String(chunk).trim() };
}

const me = { host: 'here', pid: process.pid, socketPath: null, kind: 'stdio' } as const;

describe('acquireOwnership', () => {
  it('lets one process own a vault and names it to the next', async () => {
    const lockDir = lockFolder();
    const { child, line } = await ask(lockDir);
    expect(line).toBe('owned');
    await expect(acquireOwnership({ ...me, lockDir })).rejects.toMatchObject({
      code: 'vault_owned',
      data: { pid: child.pid, host: 'child', socket: '/run/child.sock', kind: 'server' },
    });
    const other = await ask(lockDir);
    expect(JSON.parse(other.line)).toMatchObject({ code: 'vault_owned', data: { pid: child.pid } });
  });

  it('is free again when the owner was killed', async () => {
    const lockDir = lockFolder();
    const { child } = await ask(lockDir);
    await end(child, 'SIGKILL');
    // The dead owner's note is still there; it proves nothing.
    expect(readOwner(lockDir)?.pid).toBe(child.pid);
    const ownership = await acquireOwnership({ ...me, lockDir });
    expect(readOwner(lockDir)).toEqual({ host: 'here', pid: process.pid, socket: null, kind: 'stdio' });
    await ownership.release();
  });

  it('refuses a second owner in the same process, until the first lets go', async () => {
    const lockDir = lockFolder();
    const first = await acquireOwnership({ ...me, lockDir });
    await expect(acquireOwnership({ ...me, lockDir })).rejects.toMatchObject({ code: 'vault_owned' });
    // The refused one closed the file: the lock must have survived that.
    expect(JSON.parse((await ask(lockDir)).line)).toMatchObject({ code: 'vault_owned' });
    await first.release();
    await first.release();
    expect(existsSync(join(lockDir, 'owner.json'))).toBe(false);
    const second = await acquireOwnership({ ...me, lockDir });
    await first.release();
    expect(readOwner(lockDir)?.pid).toBe(process.pid);
    await second.release();
  });

  it('takes a vault whose owner file is garbage, and leaves no files behind but its own', async () => {
    const lockDir = lockFolder();
    const ownership = await acquireOwnership({ ...me, lockDir });
    await writeFile(join(lockDir, 'owner.json'), 'garbage');
    await expect(acquireOwnership({ ...me, lockDir })).rejects.toMatchObject({
      code: 'vault_owned',
      data: { pid: 'unknown' },
    });
    await ownership.release();
    expect(await readdir(lockDir)).toEqual(['owner.lock']);
  });
});
