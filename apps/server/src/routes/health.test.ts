import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { openOwnedVault } from '@grove/service';
import { makeFolder, writeFiles } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { gardenOptions } from '../testing/garden-options.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
beforeAll(async () => {
  garden = await serveGarden();
});
afterAll(() => garden.close());

describe('/healthz and /readyz', () => {
  it('answer without a key, and name nothing of a vault', async () => {
    for (const [url, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const answer = await garden.app.inject(url);
      expect([answer.statusCode, answer.json()]).toEqual([200, { status }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('say starting while the first index is made, and alive all the while', async () => {
    const folder = makeFolder('a first index');
    const root = join(folder.path, 'Notes');
    const notes = Array.from({ length: 2_000 }, (_, at) => [
      `Note ${at}.md`,
      `# Note ${at}\n\nWords of it.\n`,
    ]);
    writeFiles(root, Object.fromEntries(notes));
    const dataDir = join(folder.path, 'data');
    const opened = await openOwnedVault({ root, dataDir, kind: 'server' });
    const control = openControl({ dataDir, clock: systemClock });
    const app = await buildApp(gardenOptions({ opened }, control));
    const ready = await app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'starting' }]);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    await opened.ready;
    await expect.poll(async () => (await app.inject('/readyz')).json()).toEqual({ status: 'ready' });
    await app.close();
    control.close();
    await opened.close();
    folder.remove();
  });

  it('say degraded while a vault folder is away, and ready when it is back', async () => {
    const readiness = async () => {
      await garden.opened.vault.reconcile();
      const { statusCode, payload } = await garden.app.inject('/readyz');
      return [statusCode, payload];
    };
    renameSync(garden.root, `${garden.root} elsewhere`);
    expect(await readiness()).toEqual([503, '{"status":"degraded"}']);
    expect((await garden.app.inject('/healthz')).statusCode).toBe(200);
    renameSync(`${garden.root} elsewhere`, garden.root);
    expect(await readiness()).toEqual([200, '{"status":"ready"}']);
  });
});
