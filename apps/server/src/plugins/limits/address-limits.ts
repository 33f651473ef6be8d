import rateLimit from '@fastify/rate-limit';
import type { onRequestAsyncHookHandler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { rateLimited, tellRetry, tellStanding } from './rate-limited.ts';
import { WindowStore } from './window-store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Limits what comes from one address in a minute: an IPv4 address, or the /64 of an IPv6 one. Whatever is limited by the
     * same name is counted together. Refused with `rate_limited` and Retry-After, before the body is read.
     *
     * @param name what is limited, as the refusal calls it, such as `sign-ins`
     * @example app.post('/oauth/token', { ...OPEN, onRequest: app.limitByAddress('requests for tokens', 60) }, answer);
     */
    limitByAddress(name: string, perMinute: number): onRequestAsyncHookHandler;
  }
}

/** Limits for what is asked without a key. Behind a proxy the address is the client's only where the proxy is trusted. */
export const addressLimits = fastifyPlugin(
  async (app) => {
    // Nothing is limited but by what stands in the code.
    await app.register(rateLimit, { global: false, store: WindowStore });
    const counters = new Map<string, ReturnType<typeof app.createRateLimit>>();
    app.decorate('limitByAddress', (name: string, perMinute: number): onRequestAsyncHookHandler => {
      const count = counters.get(name) ?? app.createRateLimit({ max: perMinute, timeWindow: 60_000 });
      counters.set(name, count);
      return async (request, reply) => {
        const counted = await count(request);
        if (counted.isAllowed) return;
        const { max, remaining, ttl, isExceeded } = counted;
        const standing = { what: `${name} from one address`, limit: max, remaining, reset: ttl / 1_000 };
        tellStanding(reply, standing);
        if (!isExceeded) return;
        tellRetry(reply, standing);
        throw rateLimited(standing);
      };
    });
  },
  { name: 'address-limits', fastify: '5.x', dependencies: ['errors'] },
);
