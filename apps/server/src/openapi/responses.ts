import { CATALOGUE, type ErrorCode } from '@grove/core';
import { PROBLEM_TYPE, problemOf } from '../http/problem.ts';
import type { AnswerDescription, Json, RouteDescription } from './route-description.ts';
import { problemSchema } from './schemas.ts';

/** What every route may answer with. */
const OF_EVERY_ROUTE: readonly ErrorCode[] = [
  'bad_request',
  'host_refused',
  'origin_refused',
  'request_timeout',
  'headers_too_large',
  'server_busy',
  'stopping',
  'internal',
];
/** What a route that needs a key may answer with. */
const OF_KEYS: readonly ErrorCode[] = [
  'key_missing',
  'key_invalid',
  'scope_missing',
  'vault_unserved',
  'control_locked',
  'keys_unavailable',
  'rate_limited',
];
/** What a route for keys with the scope admin may answer with besides. */
const OF_ADMINS: readonly ErrorCode[] = ['admin_key_needed'];
const OF_BODIES: readonly ErrorCode[] = ['bad_body', 'body_too_large', 'media_type_refused'];
/** How the caller's limit stands; absent where there is none. */
const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
/** Headers of an error, by status. */
const ERROR_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: [...RATE_LIMIT, 'Retry-After'],
};

/** Every code that a route can answer with. */
export function codesOf({ access, body, errors }: RouteDescription): readonly ErrorCode[] {
  const codes = [
    ...OF_EVERY_ROUTE,
    ...(access === 'open' ? [] : OF_KEYS),
    ...(access === 'admin' ? OF_ADMINS : []),
    ...(body === undefined ? [] : OF_BODIES),
    ...errors,
  ];
  return [...new Set(codes)];
}

/** The responses of a route, by status: what goes well first, then the errors. */
export function responsesOf(route: RouteDescription): Readonly<Record<string, Json>> {
  const responses: Record<string, Json> = {};
  for (const [status, answer] of Object.entries(route.answers))
    responses[status] = responseOf(answer, route.access === 'open' ? [] : RATE_LIMIT);
  const byStatus = Map.groupBy(codesOf(route), (code) => CATALOGUE[code].status);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = errorResponse(route, status, codes, responses[status]);
  return responses;
}

function responseOf(
  { description, headers = [], content }: AnswerDescription,
  more: readonly string[],
): Json {
  return {
    description,
    headers: headerRefs(['X-Request-Id', ...headers, ...more]),
    ...(content === undefined
      ? {}
      : {
          content: Object.fromEntries(
            Object.entries(content).map(([type, { schema, example }]) => [
              type,
              {
                schema: typeof schema === 'string' ? { $ref: `#/components/schemas/${schema}` } : schema,
                ...(example === undefined ? {} : { example }),
              },
            ]),
          ),
        }),
  };
}

function errorResponse(
  route: RouteDescription,
  status: number,
  codes: readonly ErrorCode[],
  beside: Json | undefined,
): Json {
  const sorted = [...codes].sort();
  const [first] = sorted;
  const description = sorted.map((code) => `\`${code}\`: ${CATALOGUE[code].message}`).join('\n\n');
  const content = route.jsonRpc
    ? { 'application/json': { schema: { type: 'object' } } }
    : {
        [PROBLEM_TYPE]: {
          schema: problemSchema(sorted),
          ...(first === undefined ? {} : { example: exampleProblem(first) }),
        },
      };
  return {
    description: beside === undefined ? description : `${String(beside.description)}\n\n${description}`,
    headers: headerRefs(['X-Request-Id', ...(ERROR_HEADERS[status] ?? [])]),
    ...(route.method === 'head' ? {} : { content: { ...(beside?.content as Json | undefined), ...content } }),
  };
}

function exampleProblem(code: ErrorCode): Json {
  const { message, hint, status } = CATALOGUE[code];
  return problemOf({ code, message, next: hint }, status, '4f1c2a9be07d');
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
