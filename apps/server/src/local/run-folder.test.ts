import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { removeStaleSockets, socketAddress, socketsOf } from './run-folder.ts';

let scratch: string;
beforeEach(() => {
  scratch = temporaryFolder('run');
});

describe('socketAddress', () => {
  it('names a socket in a folder for this user alone', () => {
    const address = socketAddress('/vault', { dataDir: scratch, runtimeDir: null }, 42);
    expect(address).toMatch(/\/run\/[0-9a-f]{12}-42\.sock$/);
    expect(statSync(join(scratch, 'run')).mode & 0o777).toBe(0o700);
  });

  it('closes a folder that was open to others', () => {
    mkdirSync(join(scratch, 'run'));
    chmodSync(join(scratch, 'run'), 0o755);
    socketAddress('/vault', { dataDir: scratch, runtimeDir: null });
    expect(statSync(join(scratch, 'run')).mode & 0o777).toBe(0o700);
  });

  it('tells vaults, processes and data folders apart', () => {
    const at = (root: string, pid: number): string =>
      socketAddress(root, { dataDir: scratch, runtimeDir: null }, pid);
    expect(new Set([at('/a', 1), at('/b', 1), at('/a', 2)]).size).toBe(3);
  });

  it('falls back to a short folder when the data folder is too deep for a socket', () => {
    const deep = join(scratch, 'd'.repeat(90));
    const address = socketAddress('/vault', { dataDir: deep, runtimeDir: scratch });
    expect(address.startsWith(join(scratch, 'grove'))).toBe(true);
    const elsewhere = socketAddress('/vault', { dataDir: deep, runtimeDir: null, tempDir: scratch });
    expect(elsewhere.startsWith(scratch)).toBe(true);
    for (const one of [address, elsewhere]) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(100);
  });

  it('refuses a folder that is a symbolic link', () => {
    mkdirSync(join(scratch, 'elsewhere'));
    symlinkSync(join(scratch, 'elsewhere'), join(scratch, 'run'));
    expect(() => socketAddress('/vault', { dataDir: scratch, runtimeDir: null })).toThrow(/another user/);
  });

  it('is a named pipe on Windows', () => {
    const address = socketAddress(
      'C:\\vault',
      { dataDir: 'C:\\data', runtimeDir: null, platform: 'win32' },
      7,
    );
    expect(address).toMatch(/^\\\\\.\\pipe\\grove-[0-9a-f]{12}-[0-9a-f]{12}-7\.sock$/);
  });
});

describe('removeStaleSockets', () => {
  it('removes what earlier owners of the same vault left, and nothing else', () => {
    const at = (root: string, pid: number): string =>
      socketAddress(root, { dataDir: scratch, runtimeDir: null }, pid);
    const [own, earlier, other] = [at('/a', 1), at('/a', 2), at('/b', 3)];
    for (const path of [own, earlier, other]) writeFileSync(path, '');
    removeStaleSockets(own);
    expect([own, earlier, other].map((path) => existsSync(path))).toEqual([true, false, true]);
  });
});

describe('socketsOf', () => {
  it('finds the sockets of one vault, in folders that are this user alone', () => {
    const where = { dataDir: scratch, runtimeDir: null };
    const address = socketAddress('/vault', where, 42);
    writeFileSync(address, '');
    writeFileSync(socketAddress('/other', where, 42), '');
    expect(socketsOf('/vault', where)).toEqual([address]);
    chmodSync(join(scratch, 'run'), 0o755);
    expect(socketsOf('/vault', where)).toEqual([]);
  });
});
