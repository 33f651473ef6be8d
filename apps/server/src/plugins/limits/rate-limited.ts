import { GroveError } from '@grove/core';
import type { FastifyReply } from 'fastify';

/** How one limit stands. */
export interface Standing {
  /** What is counted, such as `read calls`. */
  readonly what: string;
  /** Most of them in a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the minute is over. */
  readonly reset: number;
}

/** The refusal of what goes beyond a limit, with the seconds after which it may come again. */
export function rateLimited({ what, limit, reset }: Standing): GroveError {
  return new GroveError('rate_limited', { what, limit, retry_after: secondsOf(reset) });
}

/** The refusal of a call that asks for more than a whole minute holds, and never fits. */
export function tooManyAtOnce({ what, limit }: Standing): GroveError {
  return new GroveError(
    'rate_limited',
    { what, limit },
    { hint: `Split the call: it may ask for ${limit} ${what} at most.` },
  );
}

/**
 * Tells how a limit stands: `RateLimit-Limit`, `-Remaining` and `-Reset`, in seconds, as `@fastify/rate-limit` has them for
 * the drafts of the IETF up to 06 (draft-ietf-httpapi-ratelimit-headers).
 */
export function tellStanding(reply: FastifyReply, { limit, remaining, reset }: Standing): void {
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': secondsOf(reset),
  });
}

/** Tells a client when to come again (RFC 9110 section 10.2.3). */
export function tellRetry(reply: FastifyReply, { reset }: Standing): void {
  reply.header('retry-after', secondsOf(reset));
}

/** A client that comes again at once would be refused once more. */
function secondsOf(reset: number): number {
  return Math.max(1, Math.ceil(reset));
}
