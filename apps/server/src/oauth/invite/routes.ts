import formBody from '@fastify/formbody';
import type { TrailFacts } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { AppOptions } from '../../http/options.ts';
import { sendErrorPage } from '../../pages/error-page.ts';
import { formToken, requireFormToken } from '../../pages/form-token.ts';
import { requireOwnOrigin } from '../../pages/own-origin.ts';
import { sendPage } from '../../pages/page.ts';
import { parseForm } from '../../pages/parse-form.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { inviteOverPage, invitePage } from './page.ts';
import { rememberInvite } from './remembered-invite.ts';

interface InviteRoutesOptions extends AppOptions {
  readonly server: AuthorizationServer;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 4 * 1024;
/** A trail's tokens from its invite link, all told: whoever has the link makes no end of them. */
const MOST_TOKENS = 50;

const tokenForm = z.object({ form: z.string().max(200).default('') });

/** `/invite/SECRET`: the page of an invite. An invite that is none, and one that is over, look alike. */
export const inviteRoutes: FastifyPluginAsync<InviteRoutesOptions> = async (app, options) => {
  const { control, limits, log, publicUrl, server } = options;
  const limited = app.limitByAddress('invites', limits.maxSignIns);
  const route = {
    config: { access: 'open' as const, bodies: FORM_TYPE },
    exposeHeadRoute: false,
    onRequest: limited,
  };

  app.removeAllContentTypeParsers();
  await app.register(formBody, { bodyLimit: MAX_FORM_BYTES });
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST') requireOwnOrigin(request, publicUrl);
  });
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, limits.maxBodyBytes));

  app.get('/invite/:secret', route, async (request, reply) => {
    const trail = control.trails.byInvite(secretOf(request));
    if (trail === null) return sendPage(reply, inviteOverPage(), 404);
    rememberInvite(request, reply, publicUrl, secretOf(request));
    return show(request, reply, trail, null);
  });

  app.post('/invite/:secret', route, async (request, reply) => {
    const secret = secretOf(request);
    const trail = control.trails.byInvite(secret);
    if (trail === null) return sendPage(reply, inviteOverPage(), 404);
    requireFormToken(control, subjectOf(secret), parseForm(tokenForm, request.body).form);
    const made = control.keys.list({ vault: trail.vault, trail: trail.id });
    if (made.filter(({ state }) => state === 'live').length >= MOST_TOKENS)
      throw new GroveError('tokens_full', { limit: MOST_TOKENS });
    const { key, token } = control.trails.newToken(trail.id);
    log.info({ trail: trail.id, key: key.id }, 'a guest made a token');
    return show(request, reply, trail, token);
  });

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    trail: TrailFacts,
    token: string | null,
  ): FastifyReply {
    const { origin: url } = server.issuer;
    const secret = secretOf(request);
    const shown = {
      trail,
      url,
      token,
      path: `/invite/${secret}`,
      form: formToken(control, subjectOf(secret)),
      isPublic: publicUrl?.startsWith('https://') === true,
    };
    return sendPage(reply, invitePage(shown));
  }
};

function secretOf(request: FastifyRequest): string {
  const { secret } = request.params as { readonly secret: string };
  return secret;
}

/** Whoever has the link may make a token; a page of somebody else, which has not, may not. */
function subjectOf(secret: string): string {
  return `invite ${secret}`;
}
