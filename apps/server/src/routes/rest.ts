import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Caller } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import type { McpContext } from '../mcp/context.ts';
import { callerContext } from '../mcp/session-context.ts';
import { takeJsonBodies } from './json-body.ts';
import { keyRoutes } from './keys.ts';
import { multiGetRoutes } from './multi-get.ts';
import { noteRoutes } from './note.ts';
import { notesRoutes } from './notes.ts';
import { queryRoutes } from './query.ts';
import { statusRoutes } from './status.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits for the first index, though not for long: then calls answer with what there is, and say so. */
    indexed(): Promise<void>;
  }
}

/** REST: what stands under `/v1`. */
export const restRoutes: FastifyPluginAsync<AppOptions> = async (app, options) => {
  takeJsonBodies(app);
  waitForIndex(app, options);
  await app.register(queryRoutes);
  await app.register(notesRoutes);
  await app.register(noteRoutes);
  await app.register(multiGetRoutes);
  await app.register(statusRoutes);
  await app.register(keyRoutes, options);
};

function waitForIndex(app: FastifyInstance, { version, log }: AppOptions): void {
  const contexts = new WeakMap<Caller, McpContext>();
  app.decorateRequest('indexed', async function () {
    const { caller } = this;
    if (caller === null) return;
    let context = contexts.get(caller);
    if (context === undefined) {
      context = callerContext({ opened: caller.opened, version, log }, caller.scope);
      contexts.set(caller, context);
    }
    await context.indexed();
  });
}
