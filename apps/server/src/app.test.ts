import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from './testing/serve-garden.ts';

let garden: ServedGarden;
let url: string;

beforeAll(async () => {
  garden = await serveGarden();
  url = await garden.listen();
});
afterAll(() => garden.close());

describe('one process', () => {
  it('answers REST with a key and refuses without', async () => {
    const refused = await fetch(`${url}/v1/query?q=compost`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    const answered = await fetch(`${url}/v1/query?q=compost`, { headers: bearer() });
    expect(answered.status).toBe(200);
    const { hits } = (await answered.json()) as { hits: { path: string }[] };
    expect(hits[0]?.path).toBe('Compost.md');
  });

  it.each([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }],
  ] as const)('answers MCP %s', async (_, mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: bearer() } }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'query',
      'get',
      'multi_get',
      'list_notes',
      'vault_status',
    ]);
    const answer = await client.callTool({ name: 'query', arguments: { query: 'compost' } });
    expect(JSON.stringify(answer.structuredContent)).toContain('Compost.md');
    await client.close();
  });
});

function bearer(): Record<string, string> {
  token ??= garden.key();
  return { authorization: `Bearer ${token}` };
}
let token: string | undefined;
