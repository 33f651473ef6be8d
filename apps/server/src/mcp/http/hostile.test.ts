import { once } from 'node:events';
import { connect } from 'node:net';
import { McpServer } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import type { McpServerFactory } from '../factory.ts';
import { legacy, legacyCall, modern, type RawAnswer, RawMcp } from '../testing/raw-mcp.ts';

let garden: ServedGarden;
let mcp: RawMcp;
let session: string;
beforeAll(async () => {
  garden = await serveGarden();
  mcp = new RawMcp(`${await garden.listen()}/mcp`, garden.key());
  session = await mcp.session();
});
afterAll(() => garden.close());

/** Every answer is the protocol's: no fault of the server, nothing of its insides. */
function judge({ status, text, messages }: RawAnswer): void {
  expect(status, text).toBeLessThan(500);
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|"internal"/);
  expect(text).not.toContain(garden.folder);
  for (const message of messages) {
    expect(message).toMatchObject({ jsonrpc: '2.0' });
    // The SDK gives this code to parameters that do not fit a method, with what does not fit as JSON.
    if (message.error?.code === -32_603) expect(JSON.parse(message.error.message)).toBeInstanceOf(Array);
  }
}

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'completion/complete',
  'prompts/get',
  'logging/setLevel',
  'server/discover',
  'subscriptions/listen',
  'notifications/cancelled',
  'notifications/initialized',
  'tasks/get',
];
const NAMES = [
  'query',
  'get',
  '__proto__',
  'constructor',
  'toString',
  'vault://note/Compost.md',
  'vault://tags',
  '',
];

const text = fc.string({ unit: 'binary', maxLength: 30 });
const value: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, 0, -1, 1e308, 2 ** 53, '', [], {}),
);
const params = fc.oneof(
  value,
  fc.record(
    {
      name: fc.constantFrom(...NAMES),
      uri: fc.oneof(fc.constantFrom(...NAMES), text),
      arguments: fc.oneof(value, fc.dictionary(text, value, { maxKeys: 3 })),
      cursor: value,
      protocolVersion: fc.oneof(fc.constant('2025-11-25'), value),
      capabilities: fc.oneof(fc.constant({}), fc.constant({ elicitation: {} }), value),
      clientInfo: fc.oneof(fc.constant({ name: 'x', version: '1' }), value),
      requestId: value,
      ref: fc.oneof(fc.constant({ type: 'ref/resource', uri: 'vault://note/{+path}' }), value),
      argument: fc.oneof(fc.constant({ name: 'path', value: 'C' }), value),
      notifications: value,
      _meta: fc.oneof(value, fc.record({ progressToken: value })),
      ['__proto__']: value,
    },
    { requiredKeys: [] },
  ),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: value }),
    id: fc.oneof(fc.integer(), text, value),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: value }),
    params,
    result: value,
    error: value,
  },
  { requiredKeys: ['jsonrpc'] },
);

describe('hostile bodies', () => {
  it('of any JSON get the answer of the protocol, with a session and without', async () => {
    const body = fc.oneof(
      { weight: 8, arbitrary: message },
      { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }) },
      { weight: 1, arbitrary: value },
    );
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (sent, inSession) => {
        judge(await mcp.send(sent ?? 'null', inSession ? { headers: { 'mcp-session-id': session } } : {}));
      }),
      { numRuns: 400 },
    );
    expect((await mcp.send(legacy('ping'), { headers: { 'mcp-session-id': session } })).status).toBe(200);
  });

  it('of revision 2026-07-28 do so too, whatever stands in the envelope and the headers', async () => {
    const header = fc.oneof(
      fc.constantFrom('2026-07-28', 'tools/call', 'query', '', '=?base64?x?=', 'a'.repeat(2_000)),
      fc.string({ unit: fc.constantFrom('a', ' ', ',', '\t', 'é', '~'), maxLength: 20 }),
    );
    const headers = fc.record(
      { 'mcp-protocol-version': header, 'mcp-method': header, 'mcp-name': header, accept: header },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...METHODS),
        params,
        headers,
        fc.boolean(),
        async (method, given, odd, keep) => {
          // A stream that is opened in earnest would go on.
          if (method === 'subscriptions/listen') return;
          const { body, headers: fitting } = modern(
            method,
            typeof given === 'object' && given !== null ? { ...given } : {},
          );
          const name = fitting['mcp-name'];
          const safe =
            name !== undefined && /^[\x21-\x7e]*$/.test(name) ? fitting : { ...fitting, 'mcp-name': 'query' };
          judge(await mcp.send(body, { headers: keep ? safe : { ...safe, ...odd } }));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['list_notes', '{"where": {"__proto__": {"=": "nosuch"}}}', '"total":0,'],
    ['list_notes', '{"where": {"status": "nosuch", "__proto__": [1]}}', '"total":0,'],
    ['list_notes', '{"where": {"__proto__": {"nosuch": 1}}}', 'bad_filter'],
    ['query', '{"query": "xylophone", "where": {"__proto__": {"=": "nosuch"}}}', '"total":0,'],
  ])('drop no key of what %s is given: %s', async (name, input, told) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`;
    expect((await mcp.send(body)).text).toContain(told);
  });

  it.each<[string, string]>([
    [
      'deep lists',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    ],
    [
      'deep objects',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`,
    ],
    ['a deep batch', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a huge id', JSON.stringify(legacy('ping', {}, 'x'.repeat(1_000_000)))],
    ['a long number for an id', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
    [
      'keys of prototypes',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}}',
    ],
    ['a batch of many', JSON.stringify(Array.from({ length: 101 }, (_, id) => legacy('ping', {}, id)))],
    [
      'an envelope that is deep',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`,
    ],
  ])('of %s do not harm the server', async (_, body) => {
    judge(await mcp.send(body));
    judge(await mcp.send(body, { headers: { 'mcp-session-id': session } }));
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    expect((await mcp.send(legacy('ping'))).status).toBe(200);
  });

  it('with many ids of sessions that never were take no memory of the server', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        mcp.send(legacy('ping'), { headers: { 'mcp-session-id': `${'s'.repeat(1_000)}${at}` } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a call that is cancelled', () => {
  it('in a session ends its stream without an answer', async () => {
    const headers = { 'mcp-session-id': session };
    const [called, cancelled] = await Promise.all([
      mcp.send(legacyCall('query', { query: 'compost' }, 'c'), { headers }),
      mcp.send(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } },
        { headers },
      ),
    ]);
    expect(cancelled.status).toBe(202);
    expect(called.status).toBe(200);
    expect(called.messages.length).toBeLessThan(2);
    expect((await mcp.send(legacyCall('query', { query: 'compost' }, 'c'), { headers })).status).toBe(200);
  });

  it.each([
    ['without a session', () => ({})],
    ['in a session', () => ({ 'mcp-session-id': session })],
  ])('takes no answer from what came with it, %s', async (_, headersOf) => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } };
    const one = legacyCall('query', { query: 'compost' }, 'one');
    const other = legacyCall('get', { path: 'Compost' }, 'other');
    for (const batch of [
      [one, cancel],
      [cancel, one],
      [one, other, cancel],
      [cancel, one, cancel, other],
    ]) {
      const { messages } = await mcp.send(batch, { headers: headersOf() });
      const asked = batch.includes(other) ? ['one', 'other'] : ['one'];
      expect(messages.map(({ id }) => id).sort()).toEqual(asked);
    }
    const [batch, cancelled] = await Promise.all([
      mcp.send([one, other], { headers: headersOf() }),
      mcp.send(cancel, { headers: headersOf() }),
    ]);
    expect(cancelled.status).toBe(202);
    expect(batch.messages.map(({ id }) => id).sort()).toEqual(['one', 'other']);
    expect((await mcp.send(legacy('ping', {}, 'one'), { headers: headersOf() })).status).toBe(200);
  });
});

describe('a client that goes away', () => {
  it.each([
    ['2026-07-28', modern('tools/call', { name: 'wait', arguments: {} })],
    ['2025-11-25', { body: legacyCall('wait'), headers: {} }],
  ])('in the middle of a call has the call ended, in revision %s', async (_, { body, headers }) => {
    const called = Promise.withResolvers<AbortSignal>();
    const createMcp: McpServerFactory = () => {
      const server = new McpServer({ name: 'slow', version: '1' }, { capabilities: { tools: {} } });
      server.registerTool('wait', {}, async ({ mcpReq }) => {
        called.resolve(mcpReq.signal);
        await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
        return { content: [] };
      });
      return server;
    };
    const served = await serveGarden({}, { createMcp });
    const client = new RawMcp(`${await served.listen()}/mcp`, served.key());
    const leaving = new AbortController();
    const answer = client.send(body, { headers, signal: leaving.signal }).catch((error: Error) => error.name);
    const signal = await called.promise;
    leaving.abort();
    expect(await answer).toBe('AbortError');
    if (!signal.aborted) await once(signal, 'abort');
    await served.close();
  });

  it('without reading what it asked for keeps nobody else from an answer', async () => {
    const { port } = garden.app.server.address() as { port: number };
    const stuck = connect(port, '127.0.0.1').pause();
    await once(stuck, 'connect');
    const token = garden.key();
    const body = JSON.stringify(legacyCall('list_notes'));
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    stuck.write((head + body).repeat(20));
    for (let round = 0; round < 5; round += 1)
      expect((await mcp.send(legacyCall('list_notes'))).status).toBe(200);
    stuck.destroy();
  });
});
