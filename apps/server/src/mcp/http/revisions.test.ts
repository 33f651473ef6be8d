import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../http/options.ts';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { initialize, legacy, legacyCall, modern, RawMcp, type RawOptions } from '../testing/raw-mcp.ts';

let garden: ServedGarden;
let mcp: RawMcp;
beforeAll(async () => {
  garden = await serveGarden({}, { limits: { ...DEFAULT_LIMITS, maxBodyBytes: 10_000 } });
  mcp = new RawMcp(`${await garden.listen()}/mcp`, garden.key());
});
afterAll(() => garden.close());

describe('revision 2025-11-25 over HTTP', () => {
  it.each(['2025-11-25', '2026-07-28', '1999-01-01'])(
    'answers an initialize that asks for %s with what it speaks',
    async (version) => {
      const { status, messages } = await mcp.send(initialize({}, version));
      expect(status).toBe(200);
      expect(messages[0]?.result.protocolVersion).toBe('2025-11-25');
    },
  );

  it('keeps no session for a client that cannot be asked anything', async () => {
    const { headers, messages } = await mcp.send(initialize({ experimental: {} }));
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(messages[0]?.result.capabilities).toEqual({
      tools: { listChanged: false },
      resources: { subscribe: false, listChanged: false },
      prompts: { listChanged: false },
      completions: {},
    });
    expect(messages[0]?.result.instructions).toContain('Garden');
  });

  it.each([{ elicitation: {} }, { sampling: {} }, { roots: { listChanged: true } }])(
    'keeps a session for a client that declares %j, and tells it of changes',
    async (capabilities) => {
      const { headers, messages } = await mcp.send(initialize(capabilities));
      expect(headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{16,}$/);
      expect(messages[0]?.result.capabilities.resources).toEqual({ subscribe: true, listChanged: true });
    },
  );

  it.each<[string, unknown, RawOptions, number, number]>([
    ['a body that is not JSON', '{"jsonrpc":', {}, 400, -32_700],
    ['no body', undefined, { headers: { 'content-type': 'application/json' } }, 400, -32_700],
    ['a body that is not UTF-8', Buffer.from('{"jsonrpc":"\xff"}', 'latin1'), {}, 400, -32_700],
    ['JSON that is no message', { hello: 1 }, {}, 400, -32_600],
    ['another version of JSON-RPC', { ...legacy('ping'), jsonrpc: '1.0' }, {}, 400, -32_600],
    ['a batch of nothing that is a message', [1, 2], {}, 400, -32_600],
    ['an Accept without events', legacy('ping'), { headers: { accept: 'application/json' } }, 406, -32_000],
    ['an Accept without JSON', legacy('ping'), { headers: { accept: 'text/event-stream' } }, 406, -32_000],
    [
      'a version header that is unknown',
      legacy('ping'),
      { headers: { 'mcp-protocol-version': '1999-01-01' } },
      400,
      -32_000,
    ],
    ['another content type', legacy('ping'), { headers: { 'content-type': 'text/plain' } }, 415, -32_000],
    ['a compressed body', legacy('ping'), { headers: { 'content-encoding': 'gzip' } }, 415, -32_000],
    ['a body that is too large', legacy('ping', { much: 'x'.repeat(20_000) }), {}, 413, -32_000],
    ['GET without a session', undefined, { method: 'GET' }, 405, -32_000],
    ['DELETE without a session', undefined, { method: 'DELETE' }, 405, -32_000],
  ])('answers %s as the protocol does', async (_, body, options, status, code) => {
    const answer = await mcp.send(body, options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.messages).toMatchObject([{ jsonrpc: '2.0', error: { code } }]);
    if (status === 405) expect(answer.headers.get('allow')).toContain('POST');
  });

  it('answers a method that is not there, a tool that is not there and a note that is not there', async () => {
    const codes = [];
    for (const body of [
      legacy('tools/unlist'),
      legacy('resources/subscribe', { uri: 'vault://note/Compost.md' }),
      legacyCall('write_everything'),
      legacyCall('__proto__'),
      legacy('resources/read', { uri: 'vault://note/No.md' }),
    ])
      codes.push((await mcp.send(body)).messages[0]?.error?.code);
    expect(codes).toEqual([-32_601, -32_601, -32_602, -32_602, -32_602]);
  });

  it('answers 202 to what asks nothing', async () => {
    const { status, text } = await mcp.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
  });

  it('answers each request of a batch', async () => {
    const { messages } = await mcp.send([
      legacy('ping', {}, 'a'),
      legacyCall('vault_status', {}, 'b'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ]);
    expect(messages.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  });
});

describe('revision 2026-07-28 over HTTP', () => {
  it('says what it is, and that changes can be listened to', async () => {
    const { body, headers } = modern('server/discover');
    const { status, messages } = await mcp.send(body, { headers });
    expect(status).toBe(200);
    expect(messages[0]?.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
      instructions: expect.stringContaining('Garden'),
    });
  });

  it('lets only the caller keep what it was told, the list of tools included', async () => {
    const asked = {
      'tools/list': {},
      'resources/list': {},
      'resources/templates/list': {},
      'resources/read': { uri: 'vault://note/Compost.md' },
      'server/discover': {},
    };
    const scopes: Record<string, unknown> = {};
    for (const [method, params] of Object.entries(asked)) {
      const { body, headers } = modern(method, params);
      const { messages } = await mcp.send(body, { headers });
      scopes[method] = messages[0]?.result.cacheScope;
    }
    expect(scopes).toEqual({
      'tools/list': 'private',
      'resources/list': 'private',
      'resources/templates/list': 'private',
      'resources/read': 'private',
      'server/discover': 'private',
    });
  });

  it('takes an Accept of JSON alone, and answers JSON', async () => {
    const { body, headers } = modern('tools/call', { name: 'query', arguments: { query: 'compost' } });
    const answer = await mcp.send(body, { headers: { ...headers, accept: 'application/json' } });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.messages[0]?.result.structuredContent.hits[0].path).toBe('Compost.md');
  });

  const list = modern('tools/list');
  it.each<[string, object, Record<string, string | null>, number, number]>([
    ['no version header', list.body, { 'mcp-protocol-version': null }, 400, -32_020],
    ['no method header', list.body, { 'mcp-method': null }, 400, -32_020],
    ['another method in the header', list.body, { 'mcp-method': 'tools/call' }, 400, -32_020],
    ['another version in the header', list.body, { 'mcp-protocol-version': '2025-11-25' }, 400, -32_020],
    ['no envelope', legacy('tools/list'), {}, 400, -32_602],
    ['a method that left the protocol', modern('ping').body, { 'mcp-method': 'ping' }, 404, -32_601],
    ['initialize', modern('initialize').body, { 'mcp-method': 'initialize' }, 404, -32_601],
    ['another content type', list.body, { 'content-type': 'text/plain' }, 415, -32_000],
  ])('answers %s as the protocol does', async (_, body, headers, status, code) => {
    const answer = await mcp.send(body, { headers: { ...list.headers, ...headers } });
    expect(answer.status).toBe(status);
    expect(answer.messages).toMatchObject([{ error: { code } }]);
  });

  it('names the versions that it speaks to one that asks for another', async () => {
    const { body } = modern('tools/list');
    const text = JSON.stringify(body).replace('2026-07-28', '2031-01-01');
    const { status, messages } = await mcp.send(text, {
      headers: { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
    });
    expect(status).toBe(400);
    expect(messages[0]?.error).toMatchObject({
      code: -32_022,
      data: { supported: ['2026-07-28'], requested: '2031-01-01' },
    });
  });
});
