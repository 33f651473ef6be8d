import type { Audit } from '@grove/access';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { CallRecorder, type FindingCall } from '../audit/call-recorder.ts';
import type { Caller } from '../http/caller.ts';
import type { Log } from '../log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Writes down a call of a caller that came over HTTP. */
    recordCall(call: HttpCall): void;
  }
  interface FastifyRequest {
    /** The operation that this request became, once its question was read. */
    operation: FindingCall | null;
  }
  interface FastifyContextConfig {
    /** The operation that a route stands for, where it is one. */
    tool?: string;
  }
}

/** A call over HTTP that has ended. */
export interface HttpCall {
  readonly caller: Caller;
  readonly tool: string;
  readonly via: 'mcp' | 'rest';
  readonly ms: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly search: FindingCall | null;
  readonly requestId: string | null;
}

interface AuditOptions {
  readonly audit: Audit;
  readonly log: Log;
  /** Those of other processes of this machine, which are counted with the ones over HTTP. */
  readonly localCalls?: readonly CallRecorder[] | undefined;
}

/** Writes down each call: REST as its answers go out, MCP as it tells of its own. */
export const audit = fastifyPlugin<AuditOptions>(
  async (app, { audit: book, log, localCalls = [] }) => {
    const recorder = new CallRecorder(book, log);
    const untold = [recorder, ...localCalls].map((each) => each.onCall((call) => app.metrics.called(call)));
    app.addHook('onClose', async () => {
      for (const end of untold) end();
      await recorder.close();
    });
    app.decorate('recordCall', ({ caller: { opened, scope, client }, ...call }: HttpCall) => {
      recorder.record({ client, vault: opened.slug, scope, ...call });
    });
    app.decorateRequest('operation', null);
    app.addHook('onResponse', async (request, reply) => {
      const { caller, operation, id: requestId, outcome } = request;
      const url = request.routeOptions.url ?? '';
      if (caller === null || request.is404 || !url.startsWith('/v1/')) return;
      const tool = request.routeOptions.config.tool ?? `${request.method} ${url}`;
      app.recordCall({
        caller,
        tool,
        via: 'rest',
        ms: reply.elapsedTime,
        outcome,
        search: operation,
        requestId,
      });
    });
  },
  { name: 'audit', fastify: '5.x', dependencies: ['auth'] },
);

/**
 * Notes what a request asks, and how it is answered.
 *
 * @example const output = await noted(request, { operation: 'get', input }, () => get.run(scope, parsed));
 */
export async function noted<Output>(
  request: FastifyRequest,
  call: Pick<FindingCall, 'operation' | 'input'>,
  run: () => Promise<Output>,
): Promise<Output> {
  request.operation = { ...call, output: null };
  const output = await run();
  request.operation = { ...call, output };
  return output;
}
