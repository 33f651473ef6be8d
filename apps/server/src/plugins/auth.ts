import type { KeyScope } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type Caller, requireScope } from '../http/caller.ts';
import type { Callers } from '../http/callers.ts';
import { headerValues } from '../http/raw-headers.ts';
import { isWebhook } from '../http/webhook-signature.ts';

/** Who may call a route: anyone, or a key with this scope, or with one of several. */
export type RouteAccess = 'open' | KeyScope | readonly KeyScope[];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. A route that does not say so is not taken. */
    access?: RouteAccess;
    /** True where a webhook of a git server passes without a key: the route proves it by its signature. */
    webhooks?: true;
    /** Media types of the bodies that it takes, where that is more than JSON. */
    bodies?: string;
    /** The end of the addresses that it takes, where its pattern fits others too. */
    ending?: string;
  }
  interface FastifyRequest {
    /** Set on every route that is not open, but for webhooks. */
    caller: Caller | null;
  }
}

interface AuthOptions {
  readonly callers: Callers;
}

/** Every route says who may call it; who calls is proven before anything of the request is read. */
export const auth = fastifyPlugin<AuthOptions>(
  async (app, { callers }) => {
    app.decorateRequest('caller', null);
    app.addHook('onRoute', ({ config, method, url }) => {
      if (config?.access === undefined)
        throw new Error(`${String(method)} ${url} does not say who may call it`);
    });
    app.addHook('onRequest', async (request) => {
      const { access, webhooks } = request.routeOptions.config;
      // An address that is none answers 404, whoever asks.
      if (request.is404 || access === 'open') return;
      if (webhooks === true && isWebhook(request.headers)) return;
      const caller = authenticate(request, callers);
      if (access !== undefined) requireScope(caller, access);
    });
  },
  { name: 'auth', fastify: '5.x', dependencies: ['errors'] },
);

/**
 * Proves who calls and notes it on the request.
 *
 * @throws GroveError `key_missing`, `key_invalid`, `vault_unserved`, `keys_unavailable`, `control_locked`
 */
export function authenticate(request: FastifyRequest, callers: Callers): Caller {
  const [authorization, ...others] = headerValues(request.raw.rawHeaders, 'authorization');
  // Two say different things to different readers.
  if (others.length > 0) throw new GroveError('key_invalid');
  request.caller = callers.ofHeader(authorization);
  return request.caller;
}

/** The caller of a route that is not open. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.routeOptions.url} asks for a caller and is open`);
  return request.caller;
}
