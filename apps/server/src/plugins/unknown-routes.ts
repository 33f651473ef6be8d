import type { KeyScope } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import findMyWay from 'find-my-way';
import { splitTarget } from '../http/authority.ts';
import type { Callers } from '../http/callers.ts';
import { authenticate } from './auth.ts';
import { sendProblem } from './errors.ts';

export interface UnknownRoutesOptions {
  readonly callers: Callers;
}

/** What there is at an address. */
interface Offer {
  readonly methods: Set<string>;
  access: 'open' | KeyScope;
}

/**
 * Answers what no route takes: 405 with `Allow` where the address takes other methods, else 404. An address that
 * needs a key needs it for a refusal, too.
 */
export const unknownRoutes = fastifyPlugin<UnknownRoutesOptions>(
  async (app, { callers }) => {
    const offers = new Map<string, Offer>();
    const router = findMyWay();
    app.addHook('onRoute', ({ url, method, config }) => {
      const access = config?.access ?? 'open';
      let offer = offers.get(url);
      if (offer === undefined) {
        offer = { methods: new Set(), access };
        offers.set(url, offer);
        router.on('GET', url, () => {}, offer);
      }
      if (access === 'open') offer.access = access;
      for (const one of [method].flat()) offer.methods.add(one);
    });
    app.setNotFoundHandler(async (request, reply) => {
      const path = pathOf(request);
      const offer = (router.find('GET', path)?.store as Offer | undefined) ?? null;
      if (offer === null)
        return await sendProblem(
          new GroveError('route_unknown', { method: request.method, path }),
          request,
          reply,
        );
      if (offer.access !== 'open') authenticate(request, callers);
      const allowed = [...offer.methods].sort().join(', ');
      reply.header('allow', allowed);
      return await sendProblem(
        new GroveError('method_refused', { method: request.method, path, allowed }),
        request,
        reply,
      );
    });
  },
  { name: 'unknown-routes', fastify: '5.x', dependencies: ['auth'] },
);

function pathOf(request: FastifyRequest): string {
  const [path = ''] = splitTarget(request.url).path.split('?');
  return path;
}
