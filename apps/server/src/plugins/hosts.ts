import { GroveError } from '@grove/core';
import fastifyPlugin from 'fastify-plugin';
import { splitTarget } from '../http/authority.ts';
import { HostCheck } from '../http/host-check.ts';
import { headerValues } from '../http/raw-headers.ts';
import type { OwnNames } from '../http/server-names.ts';

interface HostsOptions {
  readonly names: OwnNames;
}

/** Refuses foreign Host and Origin headers: a web page of somebody else must not reach a server at home. */
export const hosts = fastifyPlugin<HostsOptions>(
  async (app, { names }) => {
    const check = new HostCheck(names);
    app.addHook('onRequest', async ({ raw, originalUrl }) => {
      // RFC 9112 section 3.2: a request without Host, or with two, is no request.
      const [named, ...others] = headerValues(raw.rawHeaders, 'host');
      if (named === undefined || others.length > 0)
        throw new GroveError('bad_request', { reason: 'it must have one Host header' });
      let host = check.requireOwn(named);
      // RFC 9112 section 3.2.2: the host of an absolute target is the one that counts.
      const { authority } = splitTarget(originalUrl);
      if (authority !== null) host = check.requireOwn(authority);
      for (const origin of headerValues(raw.rawHeaders, 'origin')) check.requireOrigin(origin, host);
    });
  },
  { name: 'hosts', fastify: '5.x', dependencies: ['errors'] },
);
