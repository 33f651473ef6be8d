import type { Clock } from '@grove/core';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { CallLimits } from '../../http/call-limit-settings.ts';
import { type Caller, holderOf } from '../../http/caller.ts';
import { callerOf } from '../auth.ts';
import { OperationCounter } from './operation-counter.ts';
import { rateLimited, type Standing, tellRetry, tellStanding, tooManyAtOnce } from './rate-limited.ts';

/** Whether a call reads or writes: each has a limit of its own. */
export type CallKind = 'read' | 'write';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts a call of this request's caller, whole or not at all: before it waits for anything, and before it is queued.
     *
     * @param operations how many it asks for
     * @throws GroveError `rate_limited`
     */
    admit(kind: CallKind, operations?: number): Promise<void>;
    /** How the limit stands that the last call of this request met. */
    standing: Standing | null;
    /** How the limit stands that refused a call of this request. */
    refusal: Standing | null;
  }
}

interface CallLimitsOptions {
  readonly callLimits: CallLimits;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
/** Requests of any kind in a minute, for each call of which there may be so many. */
const REQUESTS_PER_CALL = 10;

/** What callers may do in a minute. All tokens and grants of one trail count together, and have the limits of the trail. */
export const callLimits = fastifyPlugin<CallLimitsOptions>(
  async (app, { callLimits: limits, clock }) => {
    const of = (max: (caller: Caller) => number) =>
      app.createRateLimit({
        keyGenerator: (request) => holderOf(callerOf(request)),
        max: (request) => max(callerOf(request)),
        timeWindow: MINUTE_MS,
        allowList: (request) => max(callerOf(request)) === 0,
      });
    const calls = {
      read: of(({ trail }) => trail?.reads ?? limits.reads),
      // A trail that may not write has no scope for it.
      write: of(({ trail }) => trail?.writes ?? limits.writes),
    };
    const requests = of((caller) => requestsOf(caller, limits));
    const operations = new OperationCounter(limits.operations, clock);

    app.decorateRequest('standing', null);
    app.decorateRequest('refusal', null);
    app.decorateRequest('admit', async function (kind, count = 1) {
      const holder = holderOf(callerOf(this));
      const full = operations.take(holder, count);
      if (full !== null && count > full.limit) {
        this.standing = full;
        throw tooManyAtOnce(full);
      }
      if (full !== null) throw refused(this, full);
      const call = standingOf(`${kind} calls`, await calls[kind](this));
      this.standing = call;
      if (call?.isExceeded !== true) return;
      operations.giveBack(holder, count);
      throw refused(this, call);
    });

    // Whatever is no call, greetings and lists of tools among it, and what cannot be read.
    app.addHook('onRequest', async (request) => {
      if (request.caller === null) return;
      const standing = standingOf('requests', await requests(request));
      if (standing?.isExceeded === true) throw refused(request, standing);
    });
    // What is no operation of a vault counts as one call.
    app.addHook('preHandler', async (request) => {
      if (request.routeOptions.config.access === 'admin' && request.caller !== null)
        await request.admit(['GET', 'HEAD'].includes(request.method) ? 'read' : 'write');
    });
    app.addHook('onSend', async ({ standing, refusal }, reply) => {
      const told = refusal ?? standing;
      if (told !== null) tellStanding(reply, told);
      if (refusal !== null) tellRetry(reply, refusal);
    });
  },
  { name: 'call-limits', fastify: '5.x', dependencies: ['auth', 'address-limits'] },
);

/** Requests that a caller may send in a minute; 0 for no limit. */
function requestsOf({ trail }: Caller, limits: CallLimits): number {
  const { reads, writes } = trail ?? limits;
  if (reads === 0 || (trail === null && writes === 0)) return 0;
  return REQUESTS_PER_CALL * (reads + writes);
}

type Counted = Awaited<ReturnType<ReturnType<FastifyRequest['server']['createRateLimit']>>>;

/** Null where there is no limit. */
function standingOf(what: string, counted: Counted): (Standing & { readonly isExceeded: boolean }) | null {
  if (counted.isAllowed) return null;
  const { max, remaining, ttl, isExceeded } = counted;
  return { what, limit: max, remaining, reset: ttl / 1_000, isExceeded };
}

function refused(request: FastifyRequest, standing: Standing): Error {
  request.refusal = standing;
  return rateLimited(standing);
}
