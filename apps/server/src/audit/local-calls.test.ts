import { connect } from 'node:net';
import { type AuditRow, type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { LOCAL_PROTOCOL } from '../local/greeting.ts';
import { callOwner } from '../local/owner-client.ts';
import { type OwnerServer, serveOwner } from '../local/owner-server.ts';
import { socketAddress } from '../local/run-folder.ts';
import { createLog } from '../log.ts';
import { initialize, legacyCall } from '../mcp/testing/raw-mcp.ts';
import { NO_LIMITS } from '../rule-sources.ts';
import { gardenOptions } from '../testing/garden-options.ts';
import { type Garden, openGarden } from '../testing/open-garden.ts';
import { CallRecorder } from './call-recorder.ts';

const log = createLog('silent');
let garden: Garden;
let control: Control;
let recorder: CallRecorder;
let server: OwnerServer;
beforeAll(async () => {
  garden = await openGarden();
  control = openControl({ dataDir: garden.dataDir, clock: systemClock });
  recorder = new CallRecorder(control.audit, log);
  const address = socketAddress(garden.root, { dataDir: garden.dataDir, runtimeDir: null });
  const { opened } = garden;
  server = await serveOwner({ opened, address, kind: 'server', version: '1', handOver: null, log, recorder });
});
afterAll(async () => {
  await server.close();
  await recorder.close();
  control.close();
  await garden.close();
});

const brief = ({ principal, via, tool, outcome, found, vault }: AuditRow) => [
  principal.kind,
  via,
  tool,
  outcome,
  found,
  vault,
];

it('what the command line calls is written down where a server runs', async () => {
  const call = { rules: NO_LIMITS };
  await callOwner(server.address, { ...call, operation: 'get', input: { path: 'Compost' } });
  await callOwner(server.address, { ...call, operation: 'get', input: { path: 'Nothing' } }).catch(() => {});
  await callOwner(server.address, { ...call, operation: 'query', input: { querry: 1 } }).catch(() => {});
  const { slug } = garden.opened;
  expect(new Set(control.audit.list().map(({ requestId }) => requestId ?? '')).size).toBe(3);
  expect(control.audit.list().map(brief).reverse()).toEqual([
    ['owner', 'cli', 'get', 'ok', 1, slug],
    ['owner', 'cli', 'get', 'note_not_found', 0, slug],
    ['owner', 'cli', 'query', 'unknown_parameter', 0, slug],
  ]);
});

it('so is what a client calls that started Grove itself and passes through the server', async () => {
  const before = control.audit.list()[0]?.sequence ?? 0;
  const socket = connect(server.address);
  const lines: string[] = [];
  let rest = '';
  socket.on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const send = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`);
  send({ protocol: LOCAL_PROTOCOL, mode: 'mcp', rules: NO_LIMITS });
  send(initialize());
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send(legacyCall('query', { query: 'compost' }, 2));
  await expect.poll(() => lines.some((line) => line.includes('"id":2')), { timeout: 60_000 }).toBe(true);
  socket.destroy();
  const [row, ...more] = control.audit.list().filter(({ sequence }) => sequence > before);
  expect(more).toEqual([]);
  expect(row && brief(row)).toEqual(['stdio', 'mcp', 'query', 'ok', 2, garden.opened.slug]);
});

it('both are counted where a server runs', async () => {
  const app = await buildApp({ ...gardenOptions(garden, control), localCalls: [recorder] });
  await callOwner(server.address, { rules: NO_LIMITS, operation: 'get', input: { path: 'Compost' } });
  const text = await app.metrics.text();
  expect(text).toContain('grove_calls_total{tool="get",via="cli",outcome="ok"} 1\n');
  await app.close();
  await callOwner(server.address, { rules: NO_LIMITS, operation: 'get', input: { path: 'Compost' } });
  expect(await app.metrics.text()).toContain('outcome="ok"} 1\n');
});
