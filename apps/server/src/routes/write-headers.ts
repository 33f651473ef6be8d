import { GroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';
import { headerValues } from '../http/raw-headers.ts';

/** What the headers of a request say about a write, as fields of write_note; each only where it was said. */
export interface WriteHeaders {
  readonly if_hash?: string;
  readonly create_only?: true;
  readonly idempotency_key?: string;
}

const LONGEST_KEY = 255;

/**
 * Reads If-Match, If-None-Match (RFC 9110 section 13.1) and Idempotency-Key.
 *
 * @throws GroveError `bad_input` for what cannot be a condition of a write
 * @example writeHeaders(request) // { if_hash: '90a5b1c4d2e3f607' } for If-Match: "90a5b1c4d2e3f607.md"
 */
export function writeHeaders(request: FastifyRequest): WriteHeaders {
  const match = ifMatch(request);
  const isNew = ifNoneMatch(request);
  if (match !== null && isNew)
    throw new GroveError('bad_input', {
      name: 'If-Match',
      reason:
        'If-Match asks for a note that is there, and If-None-Match for one that is not; send one of them',
    });
  const key = idempotencyKey(request);
  return {
    ...(match === null ? {} : { if_hash: match }),
    ...(isNew ? { create_only: true } : {}),
    ...(key === null ? {} : { idempotency_key: key }),
  };
}

/** An entity tag (RFC 9110 section 8.8.3); what is between the quotes may hold commas. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const QUOTED = /(?:W\/)?"[^"]*"/g;
/** What stands for no version of any note. */
const NO_VERSION = 'none';

/**
 * The versions of which the note must have one, parted by commas, or `*`. The tags of its two forms are one version.
 * Tags are compared strongly (RFC 9110 section 13.1.1): a weak one, and one that is not of ours, matches nothing.
 */
function ifMatch(request: FastifyRequest): string | null {
  const value = headerOf(request, 'if-match');
  if (value === null) return null;
  if (value === '*') return '*';
  const tags = (value.match(QUOTED) ?? []).map((tag) => ENTITY_TAG.exec(tag));
  const isList = /^,*T(?:,+T)*,*$/.test(
    value.replaceAll('T', '?').replaceAll(QUOTED, 'T').replaceAll(/\s/g, ''),
  );
  if (!isList || tags.includes(null))
    throw new GroveError(
      'bad_input',
      { name: 'If-Match', reason: 'If-Match takes entity tags in their quotes, or *' },
      { hint: 'Send the ETag that GET answered with, as it stands there.' },
    );
  const hashes = tags.flatMap((tag) => {
    const [, weak, opaque = ''] = tag ?? [];
    const hash = /^([\da-f]{16})(?:\.md)?$/.exec(opaque)?.[1];
    return weak === undefined && hash !== undefined ? [hash] : [];
  });
  return hashes.length === 0 ? NO_VERSION : [...new Set(hashes)].join(',');
}

function ifNoneMatch(request: FastifyRequest): boolean {
  const value = headerOf(request, 'if-none-match');
  if (value === null) return false;
  if (value === '*') return true;
  throw new GroveError(
    'bad_input',
    { name: 'If-None-Match', reason: 'If-None-Match takes only * with a write' },
    { hint: 'Send * to create a note only; to change one, send If-Match.' },
  );
}

/** With the quotes of a structured field (RFC 9651), or without. */
function idempotencyKey(request: FastifyRequest): string | null {
  const value = headerOf(request, 'idempotency-key');
  if (value === null) return null;
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (/^[\x20-\x7e]+$/.test(key) && key.trim() !== '' && key.length <= LONGEST_KEY) return key;
  throw new GroveError('bad_input', {
    name: 'Idempotency-Key',
    reason: `Idempotency-Key takes 1 to ${LONGEST_KEY} characters of ASCII`,
  });
}

/** Null where it was not sent. A condition that was sent empty must not become none. */
function headerOf({ raw }: FastifyRequest, name: string): string | null {
  const values = headerValues(raw.rawHeaders, name);
  return values.length === 0 ? null : values.join(', ').trim();
}
