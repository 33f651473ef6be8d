import { setTimeout as sleep } from 'node:timers/promises';
import { GroveError } from '@grove/core';
import { type OpenedVault, parseInput, syncAnswer } from '@grove/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireUnlimited } from '../http/caller.ts';
import { requireUncompressed } from '../http/json-bytes.ts';
import type { AppOptions } from '../http/options.ts';
import { requireSigned } from '../http/webhook-signature.ts';
import { callerOf } from '../plugins/auth.ts';
import { formOf } from './forms.ts';
import { takesNoParameters } from './parameters.ts';
import { sendUnkept } from './send-unkept.ts';
import { syncQuery } from './sync-contract.ts';

type SyncRoutesOptions = Pick<AppOptions, 'vaults' | 'webhookSecret'>;

/** How long a call waits for a run that it asks for. */
const PATIENCE_MS = 30_000;
/** A server that pushes often sends as many as this; each costs one look at the remote at most. */
const WEBHOOKS_A_MINUTE = 60;

/**
 * `GET /v1/sync` tells how sync stands, for the scope admin. `POST /v1/sync` asks for a run: with the scope admin, or as
 * a webhook of a git server, whose body is proven before anything of it counts.
 */
export const syncRoutes: FastifyPluginAsync<SyncRoutesOptions> = async (app, options) => {
  const { vaults, webhookSecret = null } = options;
  const limitWebhooks = app.limitByAddress('webhooks', WEBHOOKS_A_MINUTE);
  // A signature is over the bytes as they came; nothing else of a body is looked at.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body);
  app.addHook('preParsing', async ({ headers }) => requireUncompressed(headers));

  app.get('/v1/sync', { config: { access: 'admin' } }, async (request, reply) => {
    formOf(request, ['json']);
    takesNoParameters(request);
    const { scope, opened } = unlimitedCaller(request);
    return sendUnkept(reply, await syncAnswer(scope, opened.sync, null));
  });

  app.post(
    '/v1/sync',
    {
      config: { access: 'admin', webhooks: true },
      onRequest: async function (request, reply) {
        if (request.caller === null) await limitWebhooks.call(this, request, reply);
      },
    },
    async (request, reply) =>
      request.caller === null ? answerWebhook(request, reply) : await answerKey(request, reply),
  );

  function answerWebhook(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    requireSigned(
      request.headers,
      request.body instanceof Buffer ? request.body : Buffer.alloc(0),
      webhookSecret,
    );
    const { vault } = parseInput(syncQuery, request.query);
    const { sync } = vaultNamed(vault);
    if (sync.health().mode === 'off') throw new GroveError('sync_off');
    // What fails is told in the health of the vault, to its owner.
    sync.nudge();
    return sendUnkept(reply.code(202), { accepted: true });
  }

  async function answerKey(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    formOf(request, ['json']);
    const { scope, opened } = unlimitedCaller(request);
    const { wait, vault } = parseInput(syncQuery, request.query);
    if (vault !== null && vault !== opened.slug)
      throw new GroveError('vault_unserved', { vault: opened.slug });
    const run = opened.sync.run();
    const report = wait ? await Promise.race([run, sleep(PATIENCE_MS, null, { ref: false })]) : null;
    const answer = await syncAnswer(scope, opened.sync, report);
    return sendUnkept(reply.code(report === null ? 202 : 200), answer);
  }

  function vaultNamed(slug: string | null): OpenedVault {
    const [only, ...more] = vaults;
    if (slug === null && only !== undefined && more.length === 0) return only;
    const known = vaults.map((vault) => vault.slug).join(', ');
    const found = vaults.find((vault) => vault.slug === slug);
    if (found !== undefined) return found;
    if (slug === null)
      throw new GroveError('bad_input', {
        name: 'vault',
        reason: `"vault" is missing; it is one of ${known}`,
      });
    throw new GroveError('vault_unknown', { vault: slug, known });
  }
};

function unlimitedCaller(request: FastifyRequest): ReturnType<typeof callerOf> {
  const caller = callerOf(request);
  requireUnlimited(caller);
  return caller;
}
