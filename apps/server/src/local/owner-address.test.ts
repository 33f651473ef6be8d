import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOwnerAddress } from './owner-address.ts';

const OWNER = { pid: 1, host: 'here' };

describe.skipIf(process.platform === 'win32')('the address that an owner wrote down', () => {
  let folder: string;
  let servers: Server[];

  beforeEach(() => {
    folder = temporaryFolder('address');
    servers = [];
  });
  afterEach(async () => {
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
  });

  async function listenIn(place: string): Promise<string> {
    const address = join(place, 'a.sock');
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(address, resolve));
    return address;
  }

  function refused(address: string): void {
    expect(() => checkOwnerAddress(address, OWNER)).toThrow(expect.objectContaining({ code: 'vault_owned' }));
  }

  it('is taken when socket and folder are this user’s alone', async () => {
    checkOwnerAddress(await listenIn(folder), OWNER);
    checkOwnerAddress(join(folder, 'not-yet.sock'), OWNER);
    checkOwnerAddress(join(folder, 'no-folder', 'a.sock'), OWNER);
  });

  it.each(['8080', '127.0.0.1', 'a.sock', '', '/tmp/a\0b.sock', '\\\\.\\pipe\\grove-1'])(
    'is refused when it is no absolute path: %j',
    (address) => {
      refused(address);
    },
  );

  it('is refused in a folder that others may enter', async () => {
    const address = await listenIn(folder);
    for (const mode of [0o777, 0o770, 0o711, 0o755]) {
      chmodSync(folder, mode);
      refused(address);
    }
  });

  it('is refused when it is a file, or lies behind a link', async () => {
    writeFileSync(join(folder, 'file.sock'), '');
    refused(join(folder, 'file.sock'));
    const inside = join(folder, 'inside');
    mkdirSync(inside, { mode: 0o700 });
    await listenIn(inside);
    symlinkSync(inside, join(folder, 'link'));
    refused(join(folder, 'link', 'a.sock'));
    symlinkSync(join(inside, 'a.sock'), join(folder, 'link.sock'));
    refused(join(folder, 'link.sock'));
  });

  it.skipIf(process.getuid?.() !== 0)(
    'is refused when the folder or the socket is another user’s',
    async () => {
      const address = await listenIn(folder);
      chownSync(address, 65534, 65534);
      refused(address);
      chownSync(address, 0, 0);
      chownSync(folder, 65534, 65534);
      refused(address);
    },
  );
});

it('on Windows is a pipe of Grove', () => {
  checkOwnerAddress('\\\\.\\pipe\\grove-1-2', OWNER, 'win32');
  expect(() => checkOwnerAddress('\\\\evil\\pipe\\grove-1', OWNER, 'win32')).toThrow();
});
