import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describeWithPrograms } from '@grove/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventReader } from '../mcp/testing/event-reader.ts';
import { legacy, RawMcp } from '../mcp/testing/raw-mcp.ts';
import { type Caddy, freePort, startCaddy } from '../testing/caddy.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';
import { DEFAULT_LIMITS } from './options.ts';

/** Where the proxy calls from; another address of this machine is no proxy. */
const PROXY = '127.0.0.1';

describeWithPrograms('behind the Caddy of deploy/Caddyfile', ['caddy'], () => {
  const trusted = getCACertificates('default');
  let garden: ServedGarden;
  let direct: string;
  let caddy: Caddy;
  beforeAll(async () => {
    const port = await freePort();
    garden = await serveGarden(
      { 'Shed.md': 'A spade and a rake.' },
      {
        publicUrl: `https://localhost:${port}`,
        trustedProxies: [PROXY],
        limits: { ...DEFAULT_LIMITS, maxRegistrations: 1 },
      },
    );
    direct = await garden.listen();
    caddy = await startCaddy(port, new URL(direct).host);
    setDefaultCACertificates([...trusted, caddy.authority]);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await garden.close();
    await caddy.close();
  });

  it('answers by https, and is told by what name it was called', async () => {
    const hosts = new Set<string | undefined>();
    const note = (asked: IncomingMessage): unknown => hosts.add(asked.headers.host);
    garden.app.server.on('request', note);
    expect(await (await fetch(`${caddy.url}/readyz`)).json()).toEqual({ status: 'ready' });
    const metadata = await fetch(`${caddy.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ resource: `${caddy.url}/mcp` });
    garden.app.server.off('request', note);
    expect([...hosts]).toEqual([new URL(caddy.url).host]);
  });

  it('lets an MCP client in by its key', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const authorization = `Bearer ${garden.key()}`;
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${caddy.url}/mcp`), {
        requestInit: { headers: { authorization } },
      }),
    );
    const read = await client.callTool({ name: 'get', arguments: { path: 'shed' } });
    expect(JSON.stringify(read.content)).toContain('A spade and a rake.');
    await client.close();
    expect((await fetch(`${caddy.url}/v1/notes/Shed.md`)).status).toBe(401);
  });

  it('lets events flow as they come', async () => {
    const mcp = new RawMcp(`${caddy.url}/mcp`, garden.key());
    const headers = { 'mcp-session-id': await mcp.session(), 'accept-encoding': 'gzip, zstd' };
    const stop = new AbortController();
    const stream = await mcp.open(undefined, { method: 'GET', headers, signal: stop.signal });
    const events = new EventReader(stream);
    const uri = 'vault://note/Shed.md';
    await mcp.send(legacy('resources/subscribe', { uri }), { headers });
    garden.write('Shed.md', 'A wheelbarrow.');
    await garden.opened.vault.reconcile();
    await events.message(({ method, params }) => method?.endsWith('updated') === true && params.uri === uri);
    stop.abort();
    await events.ended;
  });

  // One registration a minute is taken from an address.
  it('is believed about who asks, and nobody else is', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.1' };
    expect(await register(caddy.url, '127.0.0.2')).toBe(201);
    expect(await register(caddy.url, '127.0.0.2', forged)).toBe(429);
    expect(await register(caddy.url, '127.0.0.3', forged)).toBe(201);
  });

  async function register(
    url: string,
    localAddress: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number | undefined> {
    return await new Promise((resolve, reject) => {
      const sent = request(
        `${url}/oauth/register`,
        {
          method: 'POST',
          localAddress,
          family: 4,
          ca: caddy.authority,
          headers: { 'content-type': 'application/json', ...headers },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ redirect_uris: ['https://client.example/callback'] }));
    });
  }
});
