import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gardenOptions } from '../testing/garden-options.ts';
import { type Garden, openGarden } from '../testing/open-garden.ts';
import { openSocket } from '../testing/raw-socket.ts';
import type { AppOptions } from './options.ts';
import { serveHttp } from './serve-http.ts';

let garden: Garden;
let options: AppOptions;

beforeAll(async () => {
  garden = await openGarden();
  options = gardenOptions(garden, openControl({ dataDir: garden.dataDir, clock: systemClock }));
});
afterAll(async () => {
  options.control.close();
  await garden.close();
});

describe('serveHttp', () => {
  it('serves until it is closed, and a second closing waits for the first', async () => {
    const serving = await serveHttp(options, { host: '127.0.0.1', port: 0 });
    expect(serving.url).toBe(`http://127.0.0.1:${serving.port}`);
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
    const waiting = await openSocket(serving.url);
    waiting.send('POST /healthz HTTP/1.1\r\n');
    const closings = [serving.close(), serving.close()];
    waiting.socket.destroy();
    await Promise.all(closings);
    await serving.close();
    await expect(fetch(`${serving.url}/healthz`)).rejects.toThrow();
  });

  it('listens on one address of localhost, where all limits hold', async () => {
    const names = { ...options.names, host: 'localhost' };
    const serving = await serveHttp({ ...options, names }, { host: 'localhost', port: 0 });
    expect((await fetch(`http://localhost:${serving.port}/healthz`)).status).toBe(200);
    await serving.close();
  });

  it('says that a port is taken, and lets go what it had opened', async () => {
    const first = await serveHttp(options, { host: '127.0.0.1', port: 0 });
    await expect(serveHttp(options, { host: '127.0.0.1', port: first.port })).rejects.toMatchObject({
      code: 'port_taken',
      data: { host: '127.0.0.1', port: first.port },
    });
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    await first.close();
  });

  it('says that an address is not of this machine', async () => {
    await expect(serveHttp(options, { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
      code: 'listen_failed',
    });
  });

  it('refuses at start the names that it could never answer to', async () => {
    const names = { ...options.names, allowedHosts: ['http://nas.local'] };
    await expect(serveHttp({ ...options, names }, { host: '127.0.0.1', port: 0 })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('GROVE_ALLOWED_HOSTS has "http://nas.local"'),
    });
  });
});
