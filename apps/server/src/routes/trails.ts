import {
  type GrantFacts,
  grantRecord,
  keyRecord,
  parseExpiry,
  parseSince,
  type TrailChange,
  type TrailFacts,
  trailRecord,
  usageRecord,
} from '@grove/access';
import { GroveError } from '@grove/core';
import { parseInput } from '@grove/service';
import type { TrailRules } from '@grove/trails';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { requireUnlimited } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import { issuerOf } from '../oauth/issuer.ts';
import { callerOf } from '../plugins/auth.ts';
import { previewAnswer } from '../trails/preview-answer.ts';
import { formOf } from './forms.ts';
import { bodyOf } from './json-body.ts';
import { takesNoParameters } from './parameters.ts';
import { isGiven, requireSpelled } from './rule-lists.ts';
import { sendUnkept } from './send-unkept.ts';
import {
  previewParameters,
  RULE_NAMES,
  trailChangeParameters,
  trailTokenParameters,
  usageParameters,
} from './trail-contract.ts';
import { rulesOfLists, type TrailLists, trailWishOf } from './trail-wish.ts';

type TrailRoutesOptions = Pick<AppOptions, 'control' | 'clock' | 'publicUrl' | 'names'>;

/**
 * `/v1/trails`: the trails of the caller's own vault, for the scope admin. Secrets are in the answers that make them
 * alone.
 */
export const trailRoutes: FastifyPluginAsync<TrailRoutesOptions> = async (app, options) => {
  const { control, clock } = options;
  const { trails } = control;
  const admin = { config: { access: 'admin' as const } };

  app.addHook('preHandler', async (request) => {
    // Before anything is done: a token that could not be shown in the answer would be lost.
    formOf(request, ['json']);
    if (!/\/(?:usage|preview)$/.test(request.routeOptions.url ?? '')) takesNoParameters(request);
    requireUnlimited(callerOf(request));
  });

  app.get('/v1/trails', admin, async (request, reply) =>
    sendUnkept(reply, { trails: trails.list({ vault: vaultOf(request) }).map(trailRecord) }),
  );

  app.post('/v1/trails', admin, async (request, reply) => {
    const wish = trailWishOf(bodyOf(request), callerOf(request).opened, clock);
    const { trail, token, invite } = trails.create(wish);
    reply.code(201).header('location', `/v1/trails/${trail.id}`);
    return sendUnkept(reply, { trail: trailRecord(trail), token, invite_url: inviteUrl(invite) });
  });

  app.get('/v1/trails/:id', admin, async (request, reply) => {
    const trail = ownTrail(request);
    const isOfTrail = (grant: GrantFacts): boolean => grant.trail === trail.id;
    return sendUnkept(reply, {
      trail: trailRecord(trail),
      tokens: control.keys.list({ trail: trail.id }).map(keyRecord),
      grants: control.grants.list({ vault: trail.vault }).filter(isOfTrail).map(grantRecord),
    });
  });

  app.patch('/v1/trails/:id', admin, async (request, reply) => {
    const trail = ownTrail(request);
    const change = changeOf(request, trail);
    return sendUnkept(reply, trailRecord(trails.update(trail.id, change)));
  });

  app.delete('/v1/trails/:id', admin, async (request, reply) => {
    const trail = ownTrail(request);
    trails.remove(trail.id);
    return sendUnkept(reply, trailRecord(trail));
  });

  app.post('/v1/trails/:id/disable', admin, async (request, reply) =>
    sendUnkept(reply, trailRecord(trails.disable(ownTrail(request).id))),
  );

  app.post('/v1/trails/:id/enable', admin, async (request, reply) =>
    sendUnkept(reply, trailRecord(trails.enable(ownTrail(request).id))),
  );

  app.post('/v1/trails/:id/token', admin, async (request, reply) => {
    const trail = ownTrail(request);
    const { name } = parseInput(trailTokenParameters, request.body === undefined ? {} : bodyOf(request));
    const { key, token } = trails.newToken(trail.id, name ?? undefined);
    return sendUnkept(reply.code(201), { key: keyRecord(key), token });
  });

  app.post('/v1/trails/:id/invite', admin, async (request, reply) => {
    const trail = ownTrail(request);
    const invite = trails.newInvite(trail.id);
    return sendUnkept(reply.code(201), { trail: trailRecord(trail), invite_url: inviteUrl(invite) });
  });

  app.get('/v1/trails/:id/usage', admin, async (request, reply) => {
    const trail = ownTrail(request);
    const { since } = parseInput(usageParameters, request.query);
    const filter = { trail: trail.id, ...(since === null ? {} : { since: parseSince(since, clock) }) };
    return sendUnkept(reply, { trail: trailRecord(trail), ...usageRecord(control.audit.sum(filter)) });
  });

  app.get('/v1/trails/:id/preview', admin, async (request, reply) => {
    const trail = ownTrail(request);
    const { note } = parseInput(previewParameters, request.query);
    const { opened } = callerOf(request);
    await request.indexed();
    const preview = await previewAnswer(opened, trail.rules, note);
    return sendUnkept(reply, { trail: trailRecord(trail), ...preview });
  });

  function inviteUrl(secret: string): string {
    return `${issuerOf(options, app.server).origin}/invite/${secret}`;
  }

  /** A name is no address: it may belong to another trail tomorrow. */
  function ownTrail(request: FastifyRequest): TrailFacts {
    const { id } = request.params as { readonly id: string };
    const trail = trails.find(id, { vault: vaultOf(request) });
    if (trail.id !== id) throw new GroveError('trail_unknown', { trail: id });
    return trail;
  }

  function changeOf(request: FastifyRequest, trail: TrailFacts): TrailChange {
    const body = bodyOf(request);
    const input = parseInput(trailChangeParameters, body);
    const { name, reads, writes, expires } = input;
    const lists = RULE_NAMES.filter((list) => isGiven(body, list));
    for (const list of lists) requireSpelled(input[list]);
    const merged = {
      ...listsOf(trail.rules),
      ...Object.fromEntries(lists.map((list) => [list, input[list]])),
    };
    return {
      ...(name === null ? {} : { name }),
      ...(reads === null ? {} : { reads }),
      ...(writes === null ? {} : { writes }),
      ...(expires === null ? {} : { expiresAt: parseExpiry(expires, clock) }),
      ...(lists.length === 0 ? {} : { rules: rulesOfLists(merged, callerOf(request).opened) }),
    };
  }
};

/** The slug of the caller's own vault. */
function vaultOf(request: FastifyRequest): string {
  return callerOf(request).opened.slug;
}

function listsOf(rules: TrailRules): TrailLists {
  return {
    allow_tags: rules.allowTags,
    deny_tags: rules.denyTags,
    allow_types: rules.allowTypes,
    deny_types: rules.denyTypes,
    allow_paths: rules.allowPaths,
    deny_paths: rules.denyPaths,
    write_folders: rules.writeFolders,
  };
}
