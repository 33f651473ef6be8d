import { ASSET_NAMES } from '../pages.ts';
import { pathParameter } from '../parameters.ts';
import type { AnswerDescription, Json, RouteDescription } from '../route-description.ts';

function text(description: string, type: string, example?: string): AnswerDescription {
  return {
    description,
    content: { [type]: { schema: { type: 'string' }, ...(example === undefined ? {} : { example }) } },
  };
}

function state(description: string, states: readonly string[]): AnswerDescription {
  const schema: Json = {
    type: 'object',
    properties: { status: { type: 'string', enum: states } },
    required: ['status'],
    additionalProperties: false,
  };
  return { description, content: { 'application/json': { schema, example: { status: states[0] } } } };
}

const RPC: Json = { type: 'object', description: 'A JSON-RPC message.' };
const PROFILE: Json = {
  name: 'profile',
  in: 'query',
  description: 'search: the two tools `search` and `fetch` that some chat clients ask for.',
  schema: { type: 'string', enum: ['notes', 'search'], default: 'notes' },
};

const START_EXAMPLE = {
  name: 'Grove',
  version: '0.1.0',
  mcp: '/mcp',
  rest: '/v1',
  owner: '/owner',
  docs: '/docs',
  openapi: '/openapi.json',
  next: 'Make a key with "grove keys create NAME"; README.md and docs/connecting.md say how clients use it.',
};
const START: Json = {
  type: 'object',
  properties: Object.fromEntries(Object.keys(START_EXAMPLE).map((name) => [name, { type: 'string' }])),
  required: Object.keys(START_EXAMPLE),
  additionalProperties: false,
};

/** What the server tells of itself, and MCP. */
export const serverDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/',
    operationId: 'getStart',
    tag: 'Documentation',
    summary: 'What answers here, and where to go on',
    description: 'A page for browsers, JSON for others; tells nothing of a vault.',
    access: 'open',
    answers: {
      200: {
        description: 'The version and the addresses.',
        headers: ['Cache-Control', 'Vary'],
        content: {
          'application/json': { schema: START, example: START_EXAMPLE },
          'text/html': { schema: { type: 'string' } },
        },
      },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/healthz',
    operationId: 'getLiveness',
    tag: 'Server',
    summary: 'The process answers',
    description: 'For supervisors; tells nothing of a vault.',
    access: 'open',
    answers: { 200: state('It does.', ['ok']) },
    errors: [],
  },
  {
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    tag: 'Server',
    summary: 'Every vault can be searched',
    description: 'For load balancers and scripts that wait; tells nothing of a vault.',
    access: 'open',
    answers: {
      200: state('They can.', ['ready']),
      503: state('Not yet, or no longer.', ['starting', 'stopping', 'degraded']),
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'Server',
    summary: 'Measurements for Prometheus',
    description: 'Requests, tool calls, the process, and the vault of the key.',
    access: 'admin',
    answers: {
      200: text('In the text format of Prometheus.', 'text/plain', 'grove_notes{vault="garden"} 412\n'),
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Documentation',
    summary: 'This description',
    description: 'OpenAPI 3.1.',
    access: 'open',
    answers: {
      200: {
        description: 'The description.',
        content: { 'application/json': { schema: { type: 'object', required: ['openapi', 'paths'] } } },
      },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    tag: 'Documentation',
    summary: 'This description as a page',
    description: 'Calls can be tried from it with a key that is typed in.',
    access: 'open',
    answers: { 200: text('The page.', 'text/html') },
    errors: [],
  },
  {
    method: 'get',
    path: '/docs/errors',
    operationId: 'getErrors',
    tag: 'Documentation',
    summary: 'Every error',
    description: 'What the `type` of problem details points to.',
    access: 'open',
    answers: { 200: text('The page.', 'text/html') },
    errors: [],
  },
  {
    method: 'get',
    path: '/docs/{asset}',
    operationId: 'getDocsAsset',
    tag: 'Documentation',
    summary: 'Scripts and styles of the pages',
    description: 'They come from this server alone.',
    access: 'open',
    parameters: [
      pathParameter('asset', 'The name of a file.', { type: 'string', enum: ASSET_NAMES }, 'pages.css'),
    ],
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/css': { schema: { type: 'string' } },
          'text/javascript': { schema: { type: 'string' } },
        },
      },
    },
    errors: ['bad_url', 'route_unknown'],
  },
  {
    method: 'post',
    path: '/mcp',
    operationId: 'postMcp',
    tag: 'MCP',
    summary: 'Model Context Protocol, Streamable HTTP',
    description:
      'One JSON-RPC message of revision 2026-07-28 or 2025-11-25; see https://modelcontextprotocol.io.',
    access: ['read', 'append'],
    parameters: [PROFILE],
    body: { schema: 'JsonRpcMessage', examples: { ping: { jsonrpc: '2.0', id: 1, method: 'ping' } } },
    answers: {
      200: {
        description: 'The answer, alone or at the end of a stream.',
        content: { 'application/json': { schema: RPC }, 'text/event-stream': { schema: { type: 'string' } } },
      },
      202: { description: 'A notification was taken.' },
    },
    errors: ['bad_input', 'not_acceptable', 'route_unknown', 'streams_full'],
    jsonRpc: true,
  },
  {
    method: 'get',
    path: '/mcp',
    operationId: 'streamMcp',
    tag: 'MCP',
    summary: 'What an MCP session is told',
    description: 'The event stream of a session of revision 2025-11-25.',
    access: ['read', 'append'],
    parameters: [PROFILE],
    answers: {
      200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    },
    errors: ['bad_input', 'not_acceptable', 'method_refused', 'route_unknown', 'streams_full'],
    jsonRpc: true,
  },
  {
    method: 'delete',
    path: '/mcp',
    operationId: 'endMcp',
    tag: 'MCP',
    summary: 'End an MCP session',
    description: 'A session of revision 2025-11-25.',
    access: ['read', 'append'],
    parameters: [PROFILE],
    answers: { 200: { description: 'It has ended.' } },
    errors: ['bad_input', 'method_refused', 'route_unknown'],
    jsonRpc: true,
  },
];
