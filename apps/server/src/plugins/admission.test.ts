import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MOST_PENDING } from '../http/connections.ts';
import { DEFAULT_LIMITS, type HttpLimits } from '../http/options.ts';
import { exchange, openSocket } from '../testing/raw-socket.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const HOST = 'Host: localhost\r\n';
const HEALTH = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
const READY = `GET /readyz HTTP/1.1\r\n${HOST}\r\n`;
const QUERY = '{"query":"compost"}';

async function serve(limits: Partial<HttpLimits> = {}): Promise<{ garden: ServedGarden; url: string }> {
  const garden = await serveGarden({}, { limits: { ...DEFAULT_LIMITS, ...limits } });
  onTestFinished(() => garden.close());
  return { garden, url: await garden.listen() };
}

/** A request that the server has taken and that waits for its body. */
function posting(garden: ServedGarden): string {
  return `POST /v1/query HTTP/1.1\r\n${HOST}Authorization: Bearer ${garden.key()}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${QUERY.length}\r\n\r\n`;
}

/** The head of an answer: its status, and its headers by their names in lower case. */
function statusAndHeaders(text: string): Record<string, unknown> {
  const [first = '', ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
  const headers = lines
    .map((line) => line.split(': '))
    .map(([name = '', value]) => [name.toLowerCase(), value]);
  return { status: Number(first.slice(9, 12)), ...Object.fromEntries(headers) };
}

describe('a server that stops', () => {
  it('ends idle connections, used or not, at once', async () => {
    const { garden, url } = await serve({ drainMs: 60_000 });
    const [silent, used] = await Promise.all([openSocket(url), openSocket(url)]);
    used.send(HEALTH);
    await used.until('{"status":"ok"}');
    await garden.app.close();
    await silent.ended();
    expect(await used.ended()).toContain('200 OK');
  });

  it('finishes what runs, and takes no other request', async () => {
    const { garden, url } = await serve({ drainMs: 60_000 });
    const running = await openSocket(url);
    running.send(posting(garden));
    await running.until('100 Continue');
    let isClosed = false;
    const closed = garden.app.close().then(() => {
      isClosed = true;
    });
    const ready = await exchange(url, READY);
    expect(statusAndHeaders(ready)).toMatchObject({ status: 503, connection: 'close', 'retry-after': '5' });
    expect(ready).toMatch(/\{"status":"stopping"\}$/);
    expect(statusAndHeaders(await exchange(url, HEALTH))).toMatchObject({ status: 200, connection: 'close' });
    for (const request of [
      `GET /v1/query?q=x HTTP/1.1\r\n${HOST}\r\n`,
      `DELETE /mcp HTTP/1.1\r\n${HOST}\r\n`,
    ]) {
      const refused = await exchange(url, request);
      expect(statusAndHeaders(refused)).toMatchObject({
        status: 503,
        connection: 'close',
        'retry-after': '5',
      });
      expect(refused).toContain('"code":"stopping"');
      expect(refused.includes('"jsonrpc":"2.0"')).toBe(request.includes('/mcp'));
    }
    expect(isClosed).toBe(false);
    running.send(QUERY);
    const text = await running.ended();
    expect(text).toContain('Compost.md');
    expect(text).toMatch(/connection: close/i);
    await closed;
  });

  it('cuts a client that is stuck when its time is over', async () => {
    const { garden, url } = await serve({ drainMs: 100, requestTimeoutMs: 600_000 });
    const stuck = await openSocket(url);
    stuck.send(posting(garden));
    await stuck.until('100 Continue');
    const half = await openSocket(url);
    half.send(`GET /healthz HTTP/1.1\r\n${HOST}x: `);
    await garden.app.close();
    expect(await stuck.ended()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(await half.ended()).toBe('');
  });

  it('sets its own end: Fastify, which gives a hook ten seconds, sets none', async () => {
    const { garden } = await serve();
    expect(garden.app.initialConfig.pluginTimeout).toBe(0);
  });

  it('ends an open stream of MCP in order', async () => {
    const { garden, url } = await serve({ drainMs: 60_000 });
    const headers = {
      authorization: `Bearer ${garden.key()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    const first = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    await first.text();
    const session = first.headers.get('mcp-session-id') ?? '';
    const stream = await fetch(`${url}/mcp`, { headers: { ...headers, 'mcp-session-id': session } });
    expect(stream.status).toBe(200);
    const read = stream.text();
    await garden.app.close();
    // A reset would reject.
    expect(typeof (await read)).toBe('string');
  });
});

describe('a connection past the cap', () => {
  it('is told so, and the next one is served when there is room', async () => {
    const { url } = await serve({ maxConnections: 2 });
    const [one, two] = [await openSocket(url), await openSocket(url)];
    one.send(HEALTH);
    two.send(HEALTH);
    await Promise.all([one.until('"ok"'), two.until('"ok"')]);
    const third = await openSocket(url);
    third.send(`GET /v1/query?q=x HTTP/1.1\r\n${HOST}\r\n`);
    const refused = await third.ended();
    expect(statusAndHeaders(refused)).toMatchObject({ status: 503, connection: 'close', 'retry-after': '5' });
    expect(refused).toContain('"code":"server_busy"');
    // Who watches the server is not told that it is dead.
    const watcher = await openSocket(url);
    watcher.send(HEALTH);
    expect(await watcher.ended()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
    one.socket.destroy();
    await once(one.socket, 'close');
    await expect
      .poll(async () => {
        const next = await openSocket(url);
        next.send(`GET /v1/query?q=x HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
        return (await next.ended()).slice(0, 12);
      })
      .toBe('HTTP/1.1 401');
  });

  it('that says nothing is let go, and leaves room for the others', async () => {
    const { url } = await serve({ maxConnections: 1 });
    const served = await openSocket(url);
    const silent = await Promise.all(Array.from({ length: 100 }, () => openSocket(url)));
    served.send(HEALTH);
    await served.until('"ok"');
    for (const text of await Promise.all(silent.map((socket) => socket.ended()))) expect(text).toBe('');
    served.send(HEALTH);
    await expect.poll(() => served.text().split('"ok"').length).toBe(3);
  });
});

describe('requests that do not wait for answers', () => {
  it('are answered in their order, as many as may wait, and then the connection ends', async () => {
    const { url } = await serve();
    const client = await openSocket(url);
    client.send(`GET /v1/query?q=x HTTP/1.1\r\n${HOST}\r\n`.repeat(200));
    const answers = (await client.ended()).split(/(?=HTTP\/1\.1 )/);
    expect(answers.length).toBe(MOST_PENDING + 1);
    expect(answers.slice(0, -1).map((answer) => answer.slice(9, 12))).toEqual(
      Array(MOST_PENDING).fill('401'),
    );
    expect(statusAndHeaders(answers.at(-1) ?? '')).toMatchObject({ status: 503, connection: 'close' });
    expect(answers.at(-1)).toContain('"code":"pipeline_full"');
  });

  it('may follow one on another, however many, when answers are read', async () => {
    const { url } = await serve();
    const client = await openSocket(url);
    for (let sent = 1; sent <= 5; sent += 1) {
      client.send(HEALTH.repeat(MOST_PENDING));
      await expect.poll(() => client.text().split('"ok"').length - 1).toBe(sent * MOST_PENDING);
    }
    client.socket.destroy();
  });
});
