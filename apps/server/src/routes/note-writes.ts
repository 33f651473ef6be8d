import { encodePath, GroveError, type VaultPath } from '@grove/core';
import { type InputOf, type ParameterTable, parseInput, writeNote } from '@grove/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { allowedAt } from '../plugins/unknown-routes.ts';
import { notePathOf, queryOf } from './address.ts';
import { FORMS, runCall, sendPrivate } from './answer.ts';
import { noteTag } from './entity-tag.ts';
import { formOf } from './forms.ts';
import { bodyOf } from './json-body.ts';
import { TextBody, takeTextBodies } from './text-body.ts';
import { writeHeaders } from './write-headers.ts';
import { throwWithHint } from './write-hints.ts';
import {
  ADDING,
  appendBody,
  appendQuery,
  deleteQuery,
  patchBody,
  putBody,
  putQuery,
  writeQuery,
} from './write-parameters.ts';

/** Ends the address of what is appended to a note. */
const APPEND = '/append';
/** What these routes take, for who sends something else. */
const TEXTS = 'text/markdown, text/plain, application/json';

/**
 * `PUT`, `PATCH` and `DELETE /v1/notes/{path}` and `POST /v1/notes/{path}/append`. A stale If-Match is refused here even where
 * both changes would fit: 412 is what HTTP promises.
 */
export const noteWriteRoutes: FastifyPluginAsync = async (app) => {
  const tool = writeNote.name;
  app.patch('/v1/notes/*', { config: { access: ADDING, tool } }, patchNote);
  app.delete('/v1/notes/*', { config: { access: 'write', tool } }, deleteNote);
  await app.register(async (texts) => {
    takeTextBodies(texts);
    texts.put('/v1/notes/*', { config: { access: ADDING, tool, bodies: TEXTS } }, putNote);
    texts.post(
      '/v1/notes/*',
      { config: { access: 'append', tool, bodies: TEXTS, ending: APPEND } },
      appendToNote,
    );
  });
};

async function putNote(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = notePathOf(request.raw.url ?? '');
  const { query, body } = readBoth(request, putQuery, putBody);
  // A new note may be made of the template of its type.
  if (body.content === null && request.headers['if-none-match'] === undefined)
    throw new GroveError('bad_input', { name: 'content', reason: '"content" is missing' });
  const { content, ...others } = body;
  const text = content === null ? {} : { content };
  return await write(request, reply, { action: 'write', path, ...query, ...others, ...text });
}

async function patchNote(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = notePathOf(request.raw.url ?? '');
  const body = bodyOf(request);
  parseInput(patchBody, body);
  const action = typeof body.action === 'string' ? body.action.trim().toLowerCase() : '';
  if (action === '') throw new GroveError('bad_input', { name: 'action', reason: '"action" is missing' });
  if (action === 'write' || action === 'delete')
    throw new GroveError('bad_input', {
      name: 'action',
      reason: `PATCH changes a part of a note, and "${action}" is about all of it; send ${action === 'write' ? 'PUT' : 'DELETE'}`,
    });
  return await write(request, reply, { path, ...readQuery(request, writeQuery), ...body });
}

/** A body of DELETE has no meaning (RFC 9110 section 9.3.5), and is not looked at. */
async function deleteNote(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = notePathOf(request.raw.url ?? '');
  return await write(request, reply, { action: 'delete', path, ...readQuery(request, deleteQuery) });
}

async function appendToNote(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [target = ''] = (request.raw.url ?? '').split('?', 1);
  if (!target.endsWith(APPEND) || target.length <= '/v1/notes/'.length + APPEND.length)
    throw refusedMethod(request, reply);
  const path = notePathOf(target.slice(0, -APPEND.length));
  const { query, body } = readBoth(request, appendQuery, appendBody);
  return await write(request, reply, { action: 'append', path, ...query, ...body });
}

/** Runs one operation and answers with what became of it. */
async function write(
  request: FastifyRequest,
  reply: FastifyReply,
  fields: Readonly<Record<string, unknown>>,
): Promise<FastifyReply> {
  const form = formOf(request, FORMS);
  const raw = { ...withHeaders(request, fields), merge: false };
  const input = writeNote.parse(raw);
  const answer = await runCall(request, writeNote, { raw, input }).catch(throwWithHint);
  const tag = noteTag(answer, 'json');
  if (tag !== null && !input.dryRun) reply.header('etag', tag);
  if (answer.created === true && !input.dryRun)
    reply.code(201).header('location', `/v1/notes/${encodePath(answer.path as VaultPath)}`);
  return sendPrivate(reply, form, form === 'json' ? answer : writeNote.present(answer));
}

/** The fields of a call together with what the headers say; what is said twice is refused. */
export function withHeaders(
  request: FastifyRequest,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const headers = writeHeaders(request);
  for (const name of Object.keys(headers))
    if (fields[name] !== undefined && fields[name] !== null && fields[name] !== '')
      throw new GroveError('bad_input', {
        name,
        reason: `"${name}" is said by a header too; send one of them`,
      });
  return { ...fields, ...headers };
}

/** Query and body of a request whose body is text or JSON; what both say is refused. */
function readBoth<Query extends ParameterTable, Body extends ParameterTable>(
  request: FastifyRequest,
  queryTable: Query,
  bodyTable: Body,
): {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: InputOf<Body> & { readonly content: unknown };
} {
  const query = readQuery(request, queryTable);
  const raw = textBodyOf(request) ?? bodyOf(request);
  for (const name of Object.keys(raw))
    if (Object.hasOwn(query, name) && Object.hasOwn(bodyTable, name))
      throw new GroveError('bad_input', {
        name,
        reason: `"${name}" stands in the address and in the body; send one of them`,
      });
  const body = parseInput(bodyTable, raw);
  const said = Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(raw, name)));
  return { query, body: { content: null, ...said } as InputOf<Body> & { readonly content: unknown } };
}

/** The parameters that the query names, each judged. */
function readQuery(request: FastifyRequest, table: ParameterTable): Readonly<Record<string, unknown>> {
  queryOf(request.raw.url ?? '');
  const given = request.query as Readonly<Record<string, unknown>>;
  const read = parseInput(table, given);
  return Object.fromEntries(Object.entries(read).filter(([name]) => Object.hasOwn(given, name)));
}

/** Fastify hands over nothing for a body of no bytes. */
function textBodyOf({ body, headers }: FastifyRequest): { readonly content: string } | null {
  if (body instanceof TextBody) return { content: body.text };
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return body === undefined && (type === 'text/markdown' || type === 'text/plain') ? { content: '' } : null;
}

/** As for any other method that the address does not take. */
function refusedMethod(request: FastifyRequest, reply: FastifyReply): GroveError {
  const [path = ''] = request.url.split('?', 1);
  const offer = request.server.offers.get('/v1/notes/*');
  const allowed = offer === undefined ? '' : allowedAt(offer, path);
  reply.header('allow', allowed);
  return new GroveError('method_refused', { method: request.method, path, allowed });
}
