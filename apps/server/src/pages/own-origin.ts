import { GroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses a form that a page of another origin sent, allowed origins included: they may call the interfaces, not act for
 * whoever is signed in. Browsers say the origin with every form that is posted
 * (https://fetch.spec.whatwg.org/#append-a-request-origin-header); what is no browser has no session to be misused.
 *
 * @throws GroveError `form_refused`
 */
export function requireOwnOrigin({ headers }: FastifyRequest, publicUrl: string | null): void {
  const { origin, host = '' } = headers;
  if (origin === undefined || origin === publicUrl) return;
  if (origin === `http://${host}` || origin === `https://${host}`) return;
  throw new GroveError('form_refused');
}
