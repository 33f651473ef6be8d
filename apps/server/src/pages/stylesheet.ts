import { readFileSync } from 'node:fs';
import { contentHash } from '@grove/core';
import type { FastifyPluginAsync } from 'fastify';
import { sendFile } from '../routes/docs.ts';

/** `/pages/pages.css`: the stylesheet of every page that the server makes. Open to all. */
export const stylesheet: FastifyPluginAsync = async (app) => {
  const bytes = readFileSync(new URL('pages.css', import.meta.url));
  const file = { type: 'text/css; charset=utf-8', bytes, etag: `"${contentHash(bytes)}"` };
  app.get('/pages/pages.css', { config: { access: 'open' } }, (request, reply) =>
    sendFile(request, reply, file),
  );
};
