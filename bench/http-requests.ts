import type { LoadRequest } from './http-load.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'grove-bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A call of the tool `query` as a client of that version of the protocol sends it. */
export function mcpQuery(version: '2025-11-25' | '2026-07-28', key: string, text: string): LoadRequest {
  const isModern = version === '2026-07-28';
  const params = {
    name: 'query',
    arguments: { searches: [{ type: 'lex', query: text }] },
    ...(isModern ? { _meta: META } : {}),
  };
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(isModern ? { 'mcp-method': 'tools/call', 'mcp-name': 'query' } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    status: 200,
    isFailure: (body) => !body.includes('"structuredContent"') || body.includes('"isError":true'),
  };
}

/** A search by REST. */
export function restQuery(key: string, text: string): LoadRequest {
  return {
    method: 'GET',
    path: `/v1/query?q=${encodeURIComponent(text)}`,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    status: 200,
    isFailure: (body) => !body.includes('"hits"'),
  };
}

/** A note by REST; with its ETag it is confirmed and not sent. */
export function restNote(key: string, path: string, etag?: string): LoadRequest {
  return {
    method: 'GET',
    path: `/v1/notes/${path.split('/').map(encodeURIComponent).join('/')}`,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    },
    status: etag === undefined ? 200 : 304,
  };
}
