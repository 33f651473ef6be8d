import fastifyPlugin from 'fastify-plugin';
import { HostCheck } from '../http/host-check.ts';
import type { ServerNames } from '../http/options.ts';

export interface HostsOptions {
  readonly names: ServerNames;
  readonly publicUrl: string | null;
}

/** Refuses foreign Host and Origin headers: a web page of somebody else must not reach a server at home. */
export const hosts = fastifyPlugin<HostsOptions>(
  async (app, options) => {
    const check = new HostCheck(options);
    app.addHook('onRequest', async (request) => {
      check.host(request.headers.host);
      check.origin(request.headers.origin);
    });
  },
  { name: 'hosts', fastify: '5.x', dependencies: ['errors'] },
);
