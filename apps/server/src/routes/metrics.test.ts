import { describeWithPrograms, makeRemoteSide } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { NO_NOTES } from '../testing/open-garden.ts';
import { readExposition } from '../testing/read-exposition.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let admin: Ask;
beforeAll(async () => {
  garden = await serveGarden();
  admin = askWith(garden.app, garden.key({ scopes: ['admin'] }));
});
afterAll(() => garden.close());

/** The value of one series, or null when there is none. */
function seriesOf(text: string, series: string): number | null {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

describe('/metrics', () => {
  it('needs a key with the scope admin', async () => {
    expect((await garden.app.inject('/metrics')).statusCode).toBe(401);
    expect((await askWith(garden.app, garden.key({ scopes: ['write'] }))('/metrics')).statusCode).toBe(403);
  });

  it('counts requests by route, method and status, and names no note', async () => {
    const reader = askWith(garden.app, garden.key());
    await reader('/v1/notes/Compost.md');
    await reader('/v1/notes/Secret%20plan.md');
    await reader('/v1/query?q=secretword');
    await reader('/nowhere/secretplace');
    const { payload, headers } = await admin('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    const count = (labels: string) =>
      seriesOf(payload, `grove_http_request_duration_seconds_count{${labels}}`);
    expect(count('method="GET",route="/v1/notes/*",status="200"')).toBe(1);
    expect(count('method="GET",route="/v1/notes/*",status="404"')).toBe(1);
    expect(count('method="GET",route="/v1/query",status="200"')).toBe(1);
    expect(count('method="GET",route="none",status="404"')).toBe(1);
    expect(payload).not.toMatch(/Compost|Secret|secretword|secretplace/);
  });

  it('tells of the process, and of the vault as the key sees it', async () => {
    const { payload } = await admin('/metrics');
    const vault = garden.opened.slug;
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'process_cpu_seconds_total',
    ])
      expect(seriesOf(payload, name), name).not.toBeNull();
    expect(seriesOf(payload, `grove_notes{vault="${vault}"}`)).toBe(4);
    expect(seriesOf(payload, `grove_index_ready{vault="${vault}"}`)).toBe(1);
    expect(seriesOf(payload, `grove_index_documents{vault="${vault}"}`)).toBe(4);
    expect(seriesOf(payload, 'grove_build_info{version="0.0.0-test"}')).toBe(1);
    const limited = await askWith(
      garden.app,
      garden.key({ scopes: ['admin'], denyPaths: ['Private'] }),
    )('/metrics');
    expect(seriesOf(limited.payload, `grove_notes{vault="${vault}"}`)).toBe(3);
    expect(limited.payload).not.toContain('grove_index_documents');
  });

  it('counts calls by tool, way and outcome, with how long they took', async () => {
    const reader = askWith(garden.app, garden.key());
    await reader('/v1/status');
    await reader('/v1/status/nonsense');
    const { payload } = await admin('/metrics');
    const calls = (outcome: string) =>
      seriesOf(payload, `grove_calls_total{tool="vault_status",via="rest",outcome="${outcome}"}`);
    expect([calls('ok'), calls('bad_input')]).toEqual([1, 1]);
    expect(seriesOf(payload, 'grove_call_duration_seconds_count{tool="vault_status",via="rest"}')).toBe(2);
  });

  it('is text that Prometheus reads, and names the vault by its slug alone', async () => {
    await garden.opened.writes.switch(true);
    const key = garden.key({ scopes: ['write'] });
    await garden.app.inject({
      method: 'PUT',
      url: '/v1/notes/Written.md',
      headers: { authorization: `Bearer ${key}`, 'if-none-match': '*', 'content-type': 'text/markdown' },
      payload: 'written\n',
    });
    const { payload } = await admin('/metrics');
    const families = readExposition(payload);
    const vault = { vault: garden.opened.slug };
    for (const [name, value] of Object.entries({
      grove_vault_up: 1,
      grove_index_pending: expect.any(Number),
      grove_reconcile_age_seconds: expect.any(Number),
      grove_write_queue_length: 0,
      grove_write_queue_oldest_seconds: 0,
      grove_writes_begun_total: 1,
      grove_write_queue_wait_seconds_total: expect.any(Number),
      grove_git_loose_objects: expect.any(Number),
      grove_git_packs: expect.any(Number),
      grove_git_bytes: expect.any(Number),
      grove_audit_entries: expect.any(Number),
      grove_uncommitted_notes: expect.any(Number),
    }))
      expect(families.get(name)?.samples, name).toEqual([{ name, labels: vault, value }]);
    expect(families.get('grove_http_request_duration_seconds')?.type).toBe('histogram');
    expect(payload).not.toContain(garden.root);
    expect(payload).not.toMatch(/Written|grove_[\w-]{43}/);
  });
});

describeWithPrograms('/metrics of a vault that is kept level with a remote', ['git'], () => {
  it('tells how far apart they are, and how long it has failed', async () => {
    const synced = await serveGarden({ ...NO_NOTES, '.obsidian/app.json': '{}' });
    const ask = askWith(synced.app, synced.key({ scopes: ['admin'] }));
    const values = async () =>
      new Map(
        [...readExposition((await ask('/metrics')).payload)].flatMap(([name, { samples }]) =>
          name.startsWith('grove_sync_') ? [[name, samples[0]?.value] as const] : [],
        ),
      );
    expect(await values()).toEqual(new Map());
    const side = await makeRemoteSide({ 'Plan.md': 'one\n' });
    await synced.opened.sync.choose({ mode: 'on', url: side.url });
    await synced.opened.sync.run();
    const level = await values();
    for (const name of ['ahead', 'behind', 'conflicts', 'failing_seconds'])
      expect(level.get(`grove_sync_${name}`), name).toBe(0);
    expect(level.get('grove_sync_pull_age_seconds')).toBeGreaterThanOrEqual(0);
    side.server.status = 500;
    await synced.opened.sync.run();
    await expect.poll(async () => (await values()).get('grove_sync_failing_seconds')).toBeGreaterThan(0);
    expect((await ask('/metrics')).payload).not.toContain(new URL(side.url).host);
    await synced.close();
  });
});
