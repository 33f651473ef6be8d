import { type KeyFacts, keyRecord, type NewKey } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { requireUnlimited } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import { callerOf } from '../plugins/auth.ts';
import { formOf } from './forms.ts';
import { bodyOf } from './json-body.ts';
import { keyWishOf } from './key-wish.ts';
import { takesNoParameters } from './parameters.ts';
import { sendUnkept } from './send-unkept.ts';

type KeyRoutesOptions = Pick<AppOptions, 'control' | 'clock'>;

/** `/v1/keys`: the keys of the caller's own vault, for the scope admin. A token is in the answer that makes it alone. */
export const keyRoutes: FastifyPluginAsync<KeyRoutesOptions> = async (app, { control, clock }) => {
  const { keys } = control;
  const admin = { config: { access: 'admin' as const } };

  app.addHook('preHandler', async (request) => {
    // Before anything is done: a token that could not be shown in the answer would be lost.
    formOf(request, ['json']);
    takesNoParameters(request);
    requireUnlimited(callerOf(request));
  });

  app.get('/v1/keys', admin, async (request, reply) => {
    return sendUnkept(reply, { keys: keys.list({ vault: vaultOf(request) }).map(keyRecord) });
  });

  app.post('/v1/keys', admin, async (request, reply) => {
    const made = keys.create({ ...keyWishOf(bodyOf(request), clock), vault: vaultOf(request) });
    return sendUnkept(reply.code(201).header('location', `/v1/keys/${made.key.id}`), withToken(made));
  });

  app.get('/v1/keys/:id', admin, async (request, reply) => sendUnkept(reply, keyRecord(ownKey(request))));

  app.delete('/v1/keys/:id', admin, async (request, reply) =>
    sendUnkept(reply, keyRecord(keys.revoke(ownKey(request).id))),
  );

  app.post('/v1/keys/:id/rotate', admin, async (request, reply) =>
    sendUnkept(reply, withToken(keys.rotate(ownKey(request).id))),
  );

  /** A name is no address: it may belong to another key tomorrow. */
  function ownKey(request: FastifyRequest): KeyFacts {
    const { id } = request.params as { readonly id: string };
    const key = keys.find(id, { vault: vaultOf(request) });
    if (key.id !== id) throw new GroveError('key_unknown', { key: id });
    return key;
  }
};

/** The slug of the caller's own vault. */
function vaultOf(request: FastifyRequest): string {
  return callerOf(request).opened.slug;
}

/** The one answer that shows a token. */
function withToken({ key, token }: NewKey): object {
  return { key: keyRecord(key), token };
}
