import { randomBytes } from 'node:crypto';
import formBody from '@fastify/formbody';
import oauth2, { type OAuth2Namespace } from '@fastify/oauth2';
import { GroveError } from '@grove/core';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { AppOptions } from '../../http/options.ts';
import type { OwnerSignIn } from '../../owner/sign-in/owner-sign-in.ts';
import { passphraseForm } from '../../owner/sign-in/passphrase-form.ts';
import { sendErrorPage } from '../../pages/error-page.ts';
import { formToken, requireFormToken } from '../../pages/form-token.ts';
import { html } from '../../pages/html.ts';
import { requireOwnOrigin } from '../../pages/own-origin.ts';
import { type Page, sendPage } from '../../pages/page.ts';
import { parseForm } from '../../pages/parse-form.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { placeOf, type UpstreamSetting } from './providers.ts';

interface UpstreamRoutesOptions extends AppOptions {
  readonly server: AuthorizationServer;
  readonly signIn: OwnerSignIn;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** How long a person may take at the other place, in seconds. */
const AWAY_S = 600;
/** How long the other place may take to say who the account is. */
const ANSWER_MS = 10_000;

const uidText = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const startQuery = z.object({ uid: uidText });
const bindForm = z.object({
  form: z.string().max(200).default(''),
  uid: uidText,
  subject: z.string().regex(/^\d{1,64}$/),
  passphrase: z.string().max(1024).default(''),
});

/**
 * Signing in as the owner at GitHub or Google. The first time, the account is bound by the passphrase; from then on the id
 * of the account is what counts, never a name or an address of it.
 */
export const upstreamRoutes: FastifyPluginAsync<UpstreamRoutesOptions> = async (app, options) => {
  const { limits, publicUrl } = options;
  app.removeAllContentTypeParsers();
  await app.register(formBody, { bodyLimit: 4 * 1024 });
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST') requireOwnOrigin(request, publicUrl);
  });
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, limits.maxBodyBytes));
  for (const setting of options.upstreams ?? [])
    await app.register(async (scope) => placeRoutes(scope, setting, options));
};

async function placeRoutes(
  app: FastifyInstance,
  setting: UpstreamSetting,
  { control, limits, log, publicUrl, server, signIn }: UpstreamRoutesOptions,
): Promise<void> {
  const { provider, clientId, clientSecret } = setting;
  const place = placeOf(setting);
  const at = `/oauth/upstream/${provider}`;
  const isHttps = publicUrl?.startsWith('https://') === true;
  const route = {
    config: { access: 'open' as const, bodies: FORM_TYPE },
    exposeHeadRoute: false,
    onRequest: app.limitByAddress('sign-ins', limits.maxSignIns),
  };
  const [authorize, token] = [new URL(place.authorize), new URL(place.token)];
  await app.register(oauth2, {
    name: provider,
    scope: [...place.scope],
    credentials: {
      client: { id: clientId, secret: clientSecret },
      auth: {
        authorizeHost: authorize.origin,
        authorizePath: authorize.pathname,
        tokenHost: token.origin,
        tokenPath: token.pathname,
      },
      http: { timeout: ANSWER_MS },
    },
    pkce: 'S256',
    userAgent: 'grove',
    callbackUri: () => `${server.issuer.origin}${at}/callback`,
    hostPrefixedCookies: isHttps,
    cookie: { path: '/', secure: isHttps, maxAge: AWAY_S },
    // The cookie of the authorization is for its own pages alone, so that the state leads back to it.
    generateStateFunction: (request: FastifyRequest) =>
      `${randomBytes(32).toString('base64url')}.${parseForm(startQuery, request.query).uid}`,
    checkStateFunction: (request: FastifyRequest) => {
      const { state } = request.query as { readonly state?: unknown };
      const kept = request.cookies[`${isHttps ? '__Host-' : ''}oauth2-redirect-state`];
      return typeof state === 'string' && state === kept;
    },
  });
  const flow = (app as unknown as Readonly<Record<string, OAuth2Namespace>>)[provider];
  if (flow === undefined) throw new Error(`${provider} was not registered`);

  app.get(at, route, async (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(await flow.generateAuthorizationUri(request, reply), 303),
  );

  app.get(`${at}/callback`, route, async (request, reply) => {
    const subject = await subjectBehind(request, reply);
    const { state } = request.query as { readonly state: string };
    const { uid } = parseForm(startQuery, { uid: state.slice(state.indexOf('.') + 1) });
    const isOwner = control.owner
      .upstreams()
      .some((known) => known.provider === provider && known.subject === subject);
    const line = { step: 'sign_in', provider, subject };
    if (isOwner) log.info(line, 'the owner signed in elsewhere');
    else log.warn(line, 'an account elsewhere is not the owner’s');
    if (isOwner) return goOn(request, reply, uid);
    return sendPage(reply, bindPage(uid, subject, null), 403);
  });

  app.post(`${at}/bind`, route, async (request, reply) => {
    const { form, uid, subject, passphrase } = parseForm(bindForm, request.body);
    requireFormToken(control, subjectOfForm(uid, subject), form);
    const failure = await signIn.prove(request, reply, passphrase, 'oauth');
    if (failure !== null) return sendPage(reply, bindPage(uid, subject, failure.message), failure.status);
    control.owner.bindUpstream(provider, subject);
    log.info({ step: 'bind', provider, subject }, 'an account elsewhere was bound to the owner');
    return goOn(request, reply, uid);
  });

  async function subjectBehind(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    try {
      const { token: found } = await flow!.getAccessTokenFromAuthorizationCodeFlow(request, reply);
      const answer = await fetch(place.account, {
        headers: {
          authorization: `Bearer ${found.access_token}`,
          accept: 'application/json',
          'user-agent': 'grove',
        },
        signal: AbortSignal.timeout(ANSWER_MS),
        redirect: 'error',
      });
      const subject = answer.ok ? place.subjectOf(await answer.json()) : null;
      if (subject !== null) return subject;
      throw new Error(`the account could not be read: ${answer.status}`);
    } catch (error) {
      log.warn({ step: 'sign_in', provider, reason: (error as Error).message }, 'a sign-in elsewhere failed');
      throw new GroveError('upstream_failed', { provider: place.title }, { cause: error });
    }
  }

  function goOn(request: FastifyRequest, reply: FastifyReply, uid: string): FastifyReply {
    signIn.sessions.open(request, reply);
    return reply.header('cache-control', 'no-store').redirect(`/oauth/interaction/${uid}`, 303);
  }

  function subjectOfForm(uid: string, subject: string): string {
    return `bind ${provider} ${subject} ${uid}`;
  }

  function bindPage(uid: string, subject: string, failure: string | null): Page {
    return {
      title: `This ${place.title} account is not known`,
      body: html`<p>If it is yours, and these are your notes, the passphrase of this server binds it: from then on you sign in with it.</p>
${passphraseForm({
  action: `${at}/bind`,
  hidden: { form: formToken(control, subjectOfForm(uid, subject)), uid, subject },
  failure,
  isAlone: true,
  submit: 'Bind the account',
})}
<p><a href="/oauth/interaction/${uid}">Back</a></p>`,
    };
  }
}
