import { GroveError } from '@grove/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import findMyWay from 'find-my-way';
import { splitTarget } from '../http/authority.ts';
import type { Callers } from '../http/callers.ts';
import { authenticate, type RouteAccess } from './auth.ts';

interface UnknownRoutesOptions {
  readonly callers: Callers;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What there is at each address, by the pattern of its routes. */
    readonly offers: ReadonlyMap<string, Offer>;
  }
}

/** What there is at an address. */
interface Offer {
  /** Its methods, with who may call each. */
  readonly methods: ReadonlyMap<string, RouteAccess>;
  /** How addresses must end that a method takes, where not every end will do. */
  readonly endings: ReadonlyMap<string, string>;
  /** Open when one of its routes is. */
  readonly access: RouteAccess;
}

/** The methods of an address, as the header Allow names them. */
export function allowedAt({ methods, endings }: Offer, path: string): string {
  return [...methods.keys()]
    .filter((method) => path.endsWith(endings.get(method) ?? ''))
    .sort()
    .join(', ');
}

/**
 * Answers what no route takes: 405 with `Allow` where the address takes other methods, else 404. An address that
 * needs a key needs it for a refusal, too.
 */
export const unknownRoutes = fastifyPlugin<UnknownRoutesOptions>(
  async (app, { callers }) => {
    const offers = new Map<
      string,
      {
        readonly methods: Map<string, RouteAccess>;
        readonly endings: Map<string, string>;
        access: RouteAccess;
      }
    >();
    app.decorate('offers', offers);
    const router = findMyWay();
    app.addHook('onRoute', ({ url, method, config }) => {
      const access = config?.access ?? 'open';
      let offer = offers.get(url);
      if (offer === undefined) {
        offer = { methods: new Map(), endings: new Map(), access };
        offers.set(url, offer);
        router.on('GET', url, () => {}, offer);
      }
      if (access === 'open') offer.access = access;
      for (const one of [method].flat()) {
        offer.methods.set(one, access);
        if (config?.ending !== undefined) offer.endings.set(one, config.ending);
      }
    });
    const offerAt = (request: FastifyRequest): Offer | null =>
      (router.find('GET', pathOf(request))?.store as Offer | undefined) ?? null;
    const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
      const path = pathOf(request);
      const { method } = request;
      const offer = offerAt(request);
      if (offer === null) throw new GroveError('route_unknown', { method, path });
      if (offer.access !== 'open' && request.caller === null) authenticate(request, callers);
      const allowed = allowedAt(offer, path);
      reply.header('allow', allowed);
      throw new GroveError('method_refused', { method, path, allowed });
    };
    // Before Fastify looks at the body, which nobody wants.
    app.addHook('onRequest', async (request, reply) => {
      if (request.is404) refuse(request, reply);
    });
    // What is no preflight comes here by way of the route for all of OPTIONS.
    app.setNotFoundHandler(async (request, reply) => refuse(request, reply));
  },
  { name: 'unknown-routes', fastify: '5.x', dependencies: ['auth'] },
);

function pathOf(request: FastifyRequest): string {
  const [path = ''] = splitTarget(request.url).path.split('?');
  return path;
}
