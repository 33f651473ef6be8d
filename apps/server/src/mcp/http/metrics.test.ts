import { expect, it } from 'vitest';
import { serveGarden } from '../../testing/serve-garden.ts';
import { legacyCall, RawMcp } from '../testing/raw-mcp.ts';

it('sessions, streams and calls are counted, and what is over no more', async () => {
  const garden = await serveGarden();
  const url = await garden.listen();
  const mcp = new RawMcp(`${url}/mcp`, garden.key());
  const admin = { authorization: `Bearer ${garden.key({ scopes: ['admin'] })}` };
  const figures = async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: admin })).text();
    return Object.fromEntries(
      [...text.matchAll(/^(grove_(?:mcp|calls)_\S+) (\d+)$/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );
  };
  const headers = { 'mcp-session-id': await mcp.session() };
  const leaving = new AbortController();
  // Held until the end: fetch ends the stream of an answer that nobody can reach any more.
  const stream = await mcp.open(undefined, { method: 'GET', headers, signal: leaving.signal });
  await mcp.send(legacyCall('query', { query: 'compost' }), { headers });
  await mcp.send(legacyCall('get', { path: 'No such note' }));
  expect(await figures()).toEqual({
    grove_mcp_sessions_open: 1,
    grove_mcp_streams_open: 1,
    'grove_calls_total{tool="query",via="mcp",outcome="ok"}': 1,
    'grove_calls_total{tool="get",via="mcp",outcome="note_not_found"}': 1,
  });
  expect(stream.status).toBe(200);
  leaving.abort();
  await mcp.send(undefined, { method: 'DELETE', headers });
  await expect.poll(figures).toMatchObject({ grove_mcp_sessions_open: 0, grove_mcp_streams_open: 0 });
  await garden.close();
});
