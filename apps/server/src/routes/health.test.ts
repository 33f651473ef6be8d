import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
