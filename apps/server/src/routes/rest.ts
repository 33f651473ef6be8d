import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { firstIndexOf } from '../first-index.ts';
import type { Caller } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import { auditRoute } from './audit.ts';
import { batchRoutes } from './batch.ts';
import { conflictRoutes } from './conflicts.ts';
import { grantRoutes } from './grants.ts';
import { takeJsonBodies } from './json-body.ts';
import { keyRoutes } from './keys.ts';
import { multiGetRoutes } from './multi-get.ts';
import { noteRoutes } from './note.ts';
import { noteWriteRoutes } from './note-writes.ts';
import { notesRoutes } from './notes.ts';
import { queryRoutes } from './query.ts';
import { statusRoutes } from './status.ts';
import { trailRoutes } from './trails.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits for the first index, though not for long: then calls answer with what there is, and say so. */
    indexed(): Promise<void>;
  }
}

/** REST: what stands under `/v1`. */
export const restRoutes: FastifyPluginAsync<AppOptions> = async (app, options) => {
  takeJsonBodies(app);
  waitForIndex(app);
  await app.register(queryRoutes);
  await app.register(notesRoutes);
  await app.register(noteRoutes);
  await app.register(noteWriteRoutes);
  await app.register(batchRoutes);
  await app.register(multiGetRoutes);
  await app.register(statusRoutes);
  await app.register(conflictRoutes);
  await app.register(keyRoutes, options);
  await app.register(trailRoutes, options);
  await app.register(grantRoutes, options);
  await app.register(auditRoute, options);
};

function waitForIndex(app: FastifyInstance): void {
  const waits = new WeakMap<Caller, () => Promise<void>>();
  app.decorateRequest('indexed', async function () {
    const { caller } = this;
    if (caller === null) return;
    let wait = waits.get(caller);
    if (wait === undefined) {
      wait = firstIndexOf(caller.opened);
      waits.set(caller, wait);
    }
    await wait();
  });
}
