import type { RouteAccess } from '../plugins/auth.ts';
import { responsesOf } from './responses.ts';
import type { Json, RouteDescription } from './route-description.ts';
import { auditDescriptions } from './routes/audit.ts';
import { keyDescriptions } from './routes/keys.ts';
import { noteDescriptions } from './routes/note.ts';
import { readingDescriptions } from './routes/reading.ts';
import { serverDescriptions } from './routes/server.ts';
import { syncDescriptions } from './routes/sync.ts';
import { trailDescriptions } from './routes/trails.ts';
import { writingDescriptions } from './routes/writing.ts';
import { componentSchemas } from './schemas.ts';
import { SharedResponses } from './shared-responses.ts';

/** Every route of the server. */
export const routeDescriptions: readonly RouteDescription[] = [
  ...readingDescriptions,
  ...noteDescriptions,
  ...writingDescriptions,
  ...keyDescriptions,
  ...auditDescriptions,
  ...syncDescriptions,
  ...trailDescriptions,
  ...serverDescriptions,
];

const ABOUT = [
  'Notes in Markdown, kept in git, for scripts and AI clients.',
  'Everything of a vault needs a key: `Authorization: Bearer KEY`, made with `grove keys create NAME`. A key belongs to one vault and sees what its path rules leave; what it may not see is answered like what is not there.',
  'Input is taken wide: an absent value may be `null` or empty, a list one text, an object its JSON text, a number or a flag its text. An unknown name is an error that says what was meant.',
  'A key has limits a minute, for calls that read, calls that write, and the operations inside them; `RateLimit-*` headers tell how they stand. Beyond them is 429, with `Retry-After`, and nothing was done.',
  'Errors are problem details (RFC 9457) with a stable `code` and one next step, `hint`; see [/docs/errors](/docs/errors).',
].join('\n\n');

const TAGS = [
  { name: 'Search', description: 'Find notes.' },
  { name: 'Notes', description: 'Read and list notes.' },
  { name: 'Writing', description: 'Change notes; off until the owner of the vault switches it on.' },
  { name: 'Status', description: 'The state of the vault.' },
  { name: 'Sync', description: 'The git remote of the vault, and what both sides changed.' },
  { name: 'Keys', description: 'Who may call; for keys with the scope admin.' },
  { name: 'Trails', description: 'Parts of the vault that are shared, and the clients that were let in.' },
  { name: 'MCP', description: 'The same operations for AI clients.' },
  { name: 'Server', description: 'The process.' },
  { name: 'Documentation', description: 'How to call it.' },
];

const text = { schema: { type: 'string' } };
const count = { schema: { type: 'integer' } };
const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': { description: 'Names the request in the log of the server; a sent one is kept.', ...text },
  ETag: { description: 'The version of the note, for If-None-Match.', ...text },
  'Content-Location': {
    description: 'The address of exactly this answer: where the note was found.',
    ...text,
  },
  'Cache-Control': { description: 'Answers of a vault are for their caller alone.', ...text },
  Vary: { description: 'Which request headers the answer depends on.', ...text },
  Location: { description: 'The address of what was made.', ...text },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750).', ...text },
  'RateLimit-Limit': { description: 'Calls of this kind that may be made in a minute.', ...count },
  'RateLimit-Remaining': { description: 'How many of them are left.', ...count },
  'RateLimit-Reset': { description: 'Seconds until the minute is over.', ...count },
  'Retry-After': { description: 'Seconds after which the call may come again.', ...count },
};

/**
 * The description of the HTTP interface (OpenAPI 3.1), made from the contracts of the operations and the error
 * catalogue.
 *
 * @param version of Grove
 */
export function openApiDocument(version: string): Json {
  const responses = new SharedResponses(routeDescriptions.map(responsesOf));
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routeDescriptions) {
    paths[route.path] ??= {};
    paths[route.path]![route.method] = operationObject(route, responses);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Grove',
      version,
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ key: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key, such as `grove_…`.' },
      },
      headers: HEADERS,
      responses: responses.components,
      schemas: { ...componentSchemas(), JsonRpcMessage: { type: 'object' } },
    },
  };
}

function operationObject(route: RouteDescription, responses: SharedResponses): Json {
  const { operationId, tag, summary, description, access, parameters, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description:
      access === 'open' ? description : `${description}\n\nNeeds a key with the scope ${scopesOf(access)}.`,
    security: access === 'open' ? [] : [{ key: [] }],
    ...(parameters === undefined || parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: responses.refer(responsesOf(route)),
  };
}

function scopesOf(access: RouteAccess): string {
  return [access]
    .flat()
    .map((scope) => `\`${scope}\``)
    .join(' or ');
}

function requestBody({ schema, examples, texts = {} }: NonNullable<RouteDescription['body']>): Json {
  return {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
      ...Object.fromEntries(
        Object.entries(texts).map(([type, example]) => [type, { schema: { type: 'string' }, example }]),
      ),
    },
  };
}
