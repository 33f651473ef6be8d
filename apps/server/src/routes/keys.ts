import { type KeyFacts, keyRecord, type NewKey, parseExpiry, parseScopes } from '@grove/access';
import { GroveError } from '@grove/core';
import { parseInput } from '@grove/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireUnlimited } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import { callerOf } from '../plugins/auth.ts';
import { compileRules } from '../rule-sources.ts';
import { formOf, MEDIA_TYPES } from './forms.ts';
import { bodyOf } from './json-body.ts';
import { newKeyParameters } from './key-contract.ts';
import { takesNoParameters } from './parameters.ts';

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
    return send(reply, { keys: keys.list({ vault: vaultOf(request) }).map(keyRecord) });
  });

  app.post('/v1/keys', admin, async (request, reply) => {
    const body = bodyOf(request);
    const input = parseInput(newKeyParameters, body);
    const rules = { readPaths: input.read_paths, writePaths: input.write_paths, denyPaths: input.deny_paths };
    requireRules(body, input);
    compileRules({ ...rules, readOnly: false });
    const made = keys.create({
      name: input.name,
      vault: vaultOf(request),
      ...(input.scopes.length === 0 ? {} : { scopes: parseScopes(input.scopes) }),
      ...(input.expires === null ? {} : { expiresAt: parseExpiry(input.expires, clock) }),
      ...rules,
    });
    return send(reply.code(201).header('location', `/v1/keys/${made.key.id}`), withToken(made));
  });

  app.get('/v1/keys/:id', admin, async (request, reply) => send(reply, keyRecord(ownKey(request))));

  app.delete('/v1/keys/:id', admin, async (request, reply) =>
    send(reply, keyRecord(keys.revoke(ownKey(request).id))),
  );

  app.post('/v1/keys/:id/rotate', admin, async (request, reply) =>
    send(reply, withToken(keys.rotate(ownKey(request).id))),
  );

  /** A name is no address: it may belong to another key tomorrow. */
  function ownKey(request: FastifyRequest): KeyFacts {
    const { id } = request.params as { readonly id: string };
    const key = keys.find(id, { vault: vaultOf(request) });
    if (key.id !== id) throw new GroveError('key_unknown', { key: id });
    return key;
  }
};

/**
 * A list that is sent and names nothing would limit nothing, and a rule that had to be mended would fit other paths
 * than the one that was meant.
 */
function requireRules(
  body: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): void {
  for (const name of ['read_paths', 'write_paths', 'deny_paths']) {
    const rules = input[name] as readonly string[];
    const given = body[name] ?? null;
    if (given !== null && rules.length === 0)
      throw new GroveError('bad_input', {
        name,
        reason: `"${name}" names no folder; leave it out to set no limit`,
      });
    const mended = rules.find((rule) => rule.includes('\ufffd'));
    if (mended !== undefined)
      throw new GroveError('bad_rule', { rule: mended.slice(0, 200), reason: 'it is not valid Unicode' });
  }
}

/** The slug of the caller's own vault. */
function vaultOf(request: FastifyRequest): string {
  return callerOf(request).opened.slug;
}

/** The one answer that shows a token. */
function withToken({ key, token }: NewKey): object {
  return { key: keyRecord(key), token };
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.header('cache-control', 'no-store').type(MEDIA_TYPES.json).send(answer);
}
