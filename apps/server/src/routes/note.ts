import { encodePath, foldCase, GroveError, type VaultPath } from '@grove/core';
import { type GetAnswer, type GetInput, get, getWhole } from '@grove/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { notePathOf, queryOf } from './address.ts';
import { FORMS, runCall, sendPrivate, sendUnchanged } from './answer.ts';
import { answersIfNoneMatch, mayConfirm, noteTag } from './entity-tag.ts';
import { type AnswerForm, formOf } from './forms.ts';
import { inputOf } from './parameters.ts';

/**
 * `GET` and `HEAD /v1/notes/{path}`: one note, found as `get` finds it and never cut. As Markdown it is the bytes of its
 * file, or the text of the section that was asked for.
 */
export const noteRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/notes/*', { config: { access: 'read', tool: get.name } }, answerNote);
};

async function answerNote(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = notePathOf(request.raw.url ?? '');
  const raw = inputOf(request, get, { path });
  const input = get.parse(raw);
  const form = formOf(request, FORMS);
  const asText = form === 'markdown' && input.format !== 'map' && input.include.length === 0;
  const wanted: GetInput = asText ? { ...input, format: 'raw' } : input;
  const answer = await runCall(request, get, { raw, input: wanted }, getWhole);
  const found = foundPath(path, answer);
  reply.header('content-location', locationOf(request, found, input, answer));
  const tag = isWholeNote(input, answer) ? noteTag(answer, form) : null;
  if (tag !== null) {
    reply.header('etag', tag);
    if (mayConfirm(answer) && answersIfNoneMatch(request, tag)) return sendUnchanged(reply);
  }
  return sendPrivate(reply, form, shown(form, asText, answer));
}

function shown(form: AnswerForm, asText: boolean, answer: GetAnswer): unknown {
  if (form === 'json') return answer;
  return asText ? (answer.content ?? '') : get.present(answer);
}

/**
 * Where the note is. Throws `note_not_found` for a periodic note that is not there yet, and for a note that only
 * another round of percent-decoding would find: an address is decoded once.
 */
function foundPath(asked: string, answer: GetAnswer): VaultPath {
  if (!answer.found)
    throw new GroveError(
      'note_not_found',
      { path: asked, would_be: answer.would_be, template: answer.template },
      { hint: answer.remarks.join(' ') },
    );
  const found = answer.path as VaultPath;
  if (/%[\da-f]{2}/i.test(asked) && !namesLiterally(asked, answer))
    throw new GroveError('note_not_found', { path: asked });
  return found;
}

function namesLiterally(asked: string, { path = '', title = '', aliases = [] }: GetAnswer): boolean {
  const name = foldCase((asked.split('#', 1)[0] ?? '').normalize('NFC'));
  return [path, title, ...aliases].some((known) => foldCase(known).includes(name));
}

/** True for the note as such: a section, a map, a part or a list of its links has no entity tag of the note. */
function isWholeNote(input: GetInput, answer: GetAnswer): boolean {
  return input.include.length === 0 && answer.source_hash !== undefined;
}

/** RFC 9110 section 8.7: the address of exactly this representation. */
function locationOf(request: FastifyRequest, path: VaultPath, input: GetInput, answer: GetAnswer): string {
  const query = queryOf(request.raw.url ?? '');
  const named = answer.section !== undefined && input.section === null;
  const section = named ? `section=${encodeURIComponent(answer.section ?? '')}` : '';
  const all = [section, query].filter((part) => part !== '').join('&');
  return `/v1/notes/${encodePath(path)}${all === '' ? '' : `?${all}`}`;
}
