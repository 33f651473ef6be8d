import { query } from '@grove/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { createMcpServer } from './mcp/server.ts';
import { legacy, legacyCall, modern, RawMcp } from './mcp/testing/raw-mcp.ts';
import { registerTool } from './mcp/tools/register-tool.ts';
import { type ServedGarden, serveGarden } from './testing/serve-garden.ts';

let lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });
let garden: ServedGarden;
let url: string;
let mcp: RawMcp;
beforeAll(async () => {
  garden = await serveGarden(
    {},
    {
      log,
      createMcp: (context, connection) => {
        const server = createMcpServer(context, connection);
        const run = async (): Promise<never> => {
          await new Promise((resolve) => setImmediate(resolve));
          throw new TypeError('there is no /home/ann');
        };
        registerTool(server, context, { ...query, name: 'broken', run }, connection.era);
        return server;
      },
    },
  );
  url = await garden.listen();
  mcp = new RawMcp(`${url}/mcp`, garden.key());
});
beforeEach(() => {
  lines = [];
});
afterAll(() => garden.close());

const logged = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));
const audited = () => garden.control.audit.list()[0];

describe('the id of a request', () => {
  it.each([
    ['of revision 2025-11-25', legacyCall('query', { query: 'compost' }), {}, 'query'],
    [
      'of revision 2026-07-28',
      modern('tools/call', { name: 'query', arguments: { query: 'compost' } }).body,
      modern('tools/call', { name: 'query' }).headers,
      'query',
    ],
    ['for a resource', legacy('resources/read', { uri: 'vault://tags' }), {}, 'resources/read'],
  ])('over MCP %s is in its answer, its lines and the audit', async (_, body, headers, tool) => {
    const answer = await mcp.send(body, { headers: { ...headers, 'x-request-id': 'mine.1' } });
    expect(answer.headers.get('x-request-id')).toBe('mine.1');
    await expect.poll(() => logged().some(({ msg }) => msg === 'answered')).toBe(true);
    expect(logged().map(({ reqId }) => reqId)).toEqual(lines.map(() => 'mine.1'));
    for (const line of lines) expect(line.match(/"reqId"/g)).toHaveLength(1);
    expect(audited()).toMatchObject({ tool, requestId: 'mine.1' });
  });

  it('in a session is that of each call', async () => {
    const headers = { 'mcp-session-id': await mcp.session() };
    const call = (id: string) =>
      mcp.send(legacyCall('query', { query: 'compost' }, id), {
        headers: { ...headers, 'x-request-id': id },
      });
    await Promise.all([call('one'), call('two')]);
    const called = logged().filter(({ msg }) => msg === 'called');
    expect(called.map(({ reqId }) => reqId).sort()).toEqual(['one', 'two']);
    const written = garden.control.audit.list({ limit: 2 }).map(({ requestId }) => requestId);
    expect(written.sort()).toEqual(['one', 'two']);
  });

  it('is told to who meets a fault of Grove, and is that of the line with the cause', async () => {
    const { result } = (await mcp.send(legacyCall('broken', { query: 'x' }))).messages[0] ?? {};
    const { request_id: id, ...error } = result.structuredContent.error;
    expect(error).toMatchObject({ code: 'internal', next: expect.any(String) });
    expect(result.content[0].text).toContain(`Request: ${id}`);
    const [line] = logged().filter(({ level }) => level === 50);
    expect(line).toMatchObject({ reqId: id, tool: 'broken', err: { message: 'there is no /home/ann' } });
  });

  it.each([
    ['a key', `grove_${'x'.repeat(43)}`],
    ['more than 64 characters', 'x'.repeat(65)],
    ['words', 'my diary'],
  ])('is not taken from a client that sends %s', async (_, given) => {
    const answer = await garden.app.inject({ url: '/healthz', headers: { 'x-request-id': given } });
    expect(answer.headers['x-request-id']).toMatch(/^[\w-]{22}$/);
    expect(lines.join('')).not.toContain(given);
  });

  it('is in the lines of a request whose body was read', async () => {
    const authorization = `Bearer ${garden.key()}`;
    const post = (body: string, id: string) =>
      fetch(`${url}/v1/query`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'x-request-id': id },
        body,
      });
    // So long that it comes in several pieces.
    await post(JSON.stringify({ query: 'compost', searches: 'x'.repeat(1_000_000) }), 'long');
    await post(JSON.stringify({ querry: 'compost' }), 'wrong');
    await post('{', 'broken');
    await expect.poll(() => lines.length).toBe(3);
    expect(logged().map(({ reqId }) => reqId)).toEqual(['long', 'wrong', 'broken']);
    expect(logged().map(({ outcome }) => outcome)).toEqual(['bad_input', 'unknown_parameter', 'bad_body']);
  });
});
