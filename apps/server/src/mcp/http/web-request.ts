import type { FastifyRequest } from 'fastify';

/** Headers that the protocol gives a meaning; the key and what proxies add are no business of a handler. */
const KNOWN = /^(accept|content-type|last-event-id|mcp-.*)$/;

/**
 * A request as the SDK takes it. Its body was read already.
 *
 * @param over aborts when the exchange is over, or the client has gone
 */
export function webRequest({ method, headers: given }: FastifyRequest, over: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && KNOWN.test(name))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return new Request('http://grove/mcp', { method, headers, signal: over });
}
