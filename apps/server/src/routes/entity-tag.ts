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
export function noteTag(
  { source_hash }: { readonly source_hash?: string | undefined },
  form: AnswerForm,
): string | null {
  if (source_hash === undefined) return null;
  return `"${source_hash}${form === 'markdown' ? MARKDOWN_SUFFIX : ''}"`;
}

/** True when the request's If-None-Match names this tag, strong or weak, or is `*`. */
export function answersIfNoneMatch({ headers }: FastifyRequest, tag: string): boolean {
  const wanted = headers['if-none-match'];
  return wanted !== undefined && fresh({ 'if-none-match': wanted.trim() }, { etag: tag });
}
