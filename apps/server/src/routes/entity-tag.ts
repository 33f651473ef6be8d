import type { GetAnswer } from '@grove/service';
import type { FastifyRequest } from 'fastify';
import fresh from 'fresh';
import type { AnswerForm } from './forms.ts';

/** What tells the Markdown form of a note from its JSON form in an entity tag. */
const MARKDOWN_SUFFIX = '.md';

/**
 * The strong entity tag of a note in one form. RFC 9110 section 8.8.1: representations of one resource must differ in
 * it, or a cache that holds the one would serve it, confirmed by 304, for the other.
 *
 * @returns null when the answer does not hold the whole note
 * @example noteTag({ source_hash: '90a5…' }, 'json') // '"90a5…"'
 */
export function noteTag({ source_hash }: Pick<GetAnswer, 'source_hash'>, form: AnswerForm): string | null {
  if (source_hash === undefined) return null;
  return `"${source_hash}${form === 'markdown' ? MARKDOWN_SUFFIX : ''}"`;
}

/**
 * True when the note that a client holds under this tag is the one that it would be sent: it was found by its path, as
 * by another step the same address may lead to another note with the same text by now; and its bytes are those that its
 * source hash was made from.
 */
export function mayConfirm(note: Pick<GetAnswer, 'resolved' | 'source_hash' | 'content_hash'>): boolean {
  return note.resolved === 'path' && note.source_hash !== undefined && note.source_hash === note.content_hash;
}

/** True when the request's If-None-Match names this tag, strong or weak, or is `*`. */
export function answersIfNoneMatch({ headers }: FastifyRequest, tag: string): boolean {
  const wanted = headers['if-none-match'];
  return wanted !== undefined && fresh({ 'if-none-match': wanted.trim() }, { etag: tag });
}
