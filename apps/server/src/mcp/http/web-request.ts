import type { FastifyRequest } from 'fastify';

/** Headers that the protocol gives a meaning; the key and what proxies add are no business of a handler. */
const KNOWN = /^(accept|content-type|last-event-id|mcp-.*)$/;

/** Requests as the SDK takes them, and what they were made of. */
export class WebRequests {
  readonly #origins = new WeakMap<Request, FastifyRequest>();

  /**
   * A request as the SDK takes it. Its body was read already.
   *
   * @param over aborts when the exchange is over, or the client has gone
   */
  make(origin: FastifyRequest, over: AbortSignal): Request {
    const headers = new Headers();
    for (const [name, value] of Object.entries(origin.headers))
      if (value !== undefined && KNOWN.test(name))
        headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    const request = new Request('http://grove/mcp', { method: origin.method, headers, signal: over });
    this.#origins.set(request, origin);
    return request;
  }

  /** What a request was made of; null for one that was not made here. */
  originOf(request: Request | undefined): FastifyRequest | null {
    return request === undefined ? null : (this.#origins.get(request) ?? null);
  }
}
