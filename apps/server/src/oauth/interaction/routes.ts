import formBody from '@fastify/formbody';
import type { TrailFacts } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import * as z from 'zod';
import { recordStep, type Step } from '../../audit/record-step.ts';
import type { AppOptions } from '../../http/options.ts';
import type { OwnerSignIn } from '../../owner/sign-in/owner-sign-in.ts';
import { sendErrorPage } from '../../pages/error-page.ts';
import { formToken, requireFormToken } from '../../pages/form-token.ts';
import { requireOwnOrigin } from '../../pages/own-origin.ts';
import { sendPage } from '../../pages/page.ts';
import { parseForm } from '../../pages/parse-form.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isTrustedRedirect } from '../clients/trusted-redirect.ts';
import { rememberedInvite } from '../invite/remembered-invite.ts';
import { placeOf } from '../upstream/providers.ts';
import { type Agreement, agree, requireRoom } from './agree.ts';
import { type Authorization, authorizationOf, guestOf, noteGuest, type Person } from './authorization.ts';
import { type ConsentOffer, canWrite, consentPage } from './consent-page.ts';
import { refusedPage } from './refused-page.ts';
import { clientSignInPage, type SignInState } from './sign-in-page.ts';
import { trailOf } from './trail-of.ts';

interface InteractionRoutesOptions extends AppOptions {
  readonly server: AuthorizationServer;
  readonly signIn: OwnerSignIn;
}

const MAX_FORM_BYTES = 16 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

const token = z.string().max(200).default('');
const ownerForm = z.object({ form: token, passphrase: z.string().max(1024).default('') });
const trailForm = z.object({ form: token, secret: z.string().max(1024).default('') });
const plainForm = z.object({ form: token });
const refusalForm = z.object({ form: token, back: z.literal('yes').optional() });
const consentForm = z.object({
  form: token,
  notes: z.string().max(300),
  access: z.enum(['read', 'write']),
});

/** What a person meets on the way from a client to its tokens: signing in, and the consent. */
export const interactionRoutes: FastifyPluginAsync<InteractionRoutesOptions> = async (app, options) => {
  const { control, limits, log, publicUrl, server, signIn, vaults } = options;
  const open = { config: { access: 'open' as const, bodies: FORM_TYPE }, exposeHeadRoute: false };
  const form = { ...open, onRequest: app.limitByAddress('sign-ins', limits.maxSignIns) };

  app.removeAllContentTypeParsers();
  await app.register(formBody, { bodyLimit: MAX_FORM_BYTES });
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST') requireOwnOrigin(request, publicUrl);
  });
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, limits.maxBodyBytes));

  app.get('/oauth/interaction/:uid', open, async (request, reply) => {
    const authorization = await authorizationOf(server, request, reply);
    const person = personOf(request, authorization);
    const { guest } = request.query as { readonly guest?: unknown };
    if (person === null || (guest !== undefined && person.kind === 'owner'))
      return sendPage(reply, clientSignInPage(authorization, stateOf(request, authorization)));
    return sendPage(reply, consentPage(authorization, person, offerOf(authorization)));
  });

  app.post('/oauth/interaction/:uid/owner', form, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, ownerForm);
    const failure = await signIn.prove(request, reply, sent.passphrase, 'oauth');
    tell(authorization, failure === null ? 'owner' : null);
    if (failure !== null) {
      const { message, status } = failure;
      return failed(request, reply, authorization, { at: 'passphrase', message }, status);
    }
    signIn.sessions.open(request, reply);
    return goOn(reply, authorization);
  });

  app.post('/oauth/interaction/:uid/trail', form, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, trailForm);
    const trail = trailOf(control, sent.secret);
    guestCame(request, reply, authorization, trail);
    if (trail === null) {
      const message = 'No trail answers to this. It may have been ended or replaced.';
      return failed(request, reply, authorization, { at: 'trail', message }, 403);
    }
    await noteGuest(server, request, reply, trail);
    return goOn(reply, authorization);
  });

  app.post('/oauth/interaction/:uid/invite', form, async (request, reply) => {
    const { authorization } = await formOf(request, reply, plainForm);
    const trail = rememberedInvite(control, request);
    guestCame(request, reply, authorization, trail);
    if (trail !== null) await noteGuest(server, request, reply, trail);
    return goOn(reply, authorization);
  });

  app.post('/oauth/interaction/:uid/consent', form, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, consentForm);
    const person = personOf(request, authorization);
    if (person === null) throw new GroveError('authorization_over');
    const agreement = agreementOf(authorization, person, sent);
    if (person.kind === 'trail') requireRoom(control, person.trail);
    const { provider, issuer } = server;
    const { accountId, grantId } = await agree({ provider, issuer, control }, authorization, agreement);
    log.info(
      {
        ...loggedOf(authorization),
        step: 'consent',
        account: accountId,
        vault: agreement.vault,
        scopes: agreement.scopes,
      },
      'a client was agreed to',
    );
    const name = `${authorization.client.name} (${agreement.trail?.name ?? 'owner'})`;
    record(request, reply, authorization, {
      tool: 'consent',
      principal: { kind: 'grant', id: grantId, name },
      trail: agreement.trail?.id ?? null,
      vault: agreement.vault,
      outcome: 'ok',
    });
    // The prompts that clients may ask for, all of which this page was.
    const prompts = { login: { accountId, remember: false }, consent: { grantId }, select_account: {} };
    return await finish(request, reply, prompts);
  });

  app.post('/oauth/interaction/:uid/refuse', form, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, refusalForm);
    if (sent.back === undefined) {
      noteRefusal(request, reply, authorization);
      if (!isTrustedRedirect(control, authorization.client.id, authorization.redirectUri))
        return sendPage(reply, refusedPage(authorization, sent.form));
    }
    return await finish(request, reply, {
      error: 'access_denied',
      error_description: 'the person who was asked did not agree',
    });
  });

  async function formOf<Sent extends { readonly form: string }>(
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: z.ZodType<Sent>,
  ): Promise<{ authorization: Authorization; sent: Sent }> {
    const authorization = await authorizationOf(server, request, reply);
    const sent = parseForm(parameters, request.body);
    requireFormToken(control, subjectOf(authorization), sent.form);
    return { authorization, sent };
  }

  /** Who is there: a trail that was named in this authorization counts before the owner's session of the browser. */
  function personOf(request: FastifyRequest, authorization: Authorization): Person | null {
    const guest = guestOf(control, authorization);
    if (guest !== null) return guest;
    return signIn.sessions.of(request) === null ? null : { kind: 'owner' };
  }

  function goOn(reply: FastifyReply, { uid }: Authorization): FastifyReply {
    return reply.header('cache-control', 'no-store').redirect(`/oauth/interaction/${uid}`, 303);
  }

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
  ): Promise<FastifyReply> {
    const returnTo = await server.provider.interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: false,
    });
    return reply.header('cache-control', 'no-store').redirect(returnTo, 303);
  }

  function failed(
    request: FastifyRequest,
    reply: FastifyReply,
    authorization: Authorization,
    failure: NonNullable<SignInState['failure']>,
    status: number,
  ): FastifyReply {
    return sendPage(reply, clientSignInPage(authorization, stateOf(request, authorization, failure)), status);
  }

  function stateOf(
    request: FastifyRequest,
    authorization: Authorization,
    failure: SignInState['failure'] = null,
  ): SignInState {
    return {
      form: formToken(control, subjectOf(authorization)),
      hasPassphrase: control.owner.isSet(),
      elsewhere: (options.upstreams ?? []).map((setting) => ({
        title: placeOf(setting).title,
        url: `/oauth/upstream/${setting.provider}?uid=${authorization.uid}`,
      })),
      invite: rememberedInvite(control, request),
      failure,
    };
  }

  function offerOf(authorization: Authorization): ConsentOffer {
    const slugs = vaults.map(({ slug }) => slug);
    const trails = control.trails
      .list()
      .filter(({ state, vault }) => state === 'live' && slugs.includes(vault));
    return { form: formToken(control, subjectOf(authorization)), vaults: slugs, trails };
  }

  /** What was chosen, within what the person may choose. */
  function agreementOf(
    authorization: Authorization,
    person: Person,
    { notes, access }: z.output<typeof consentForm>,
  ): Agreement {
    const offer = offerOf(authorization);
    const wantsWrite = access === 'write' && authorization.asked.write;
    const trail =
      person.kind === 'trail' ? person.trail : offer.trails.find(({ id }) => notes === `trail:${id}`);
    if (trail !== undefined)
      return {
        vault: trail.vault,
        trail,
        scopes: wantsWrite && canWrite(trail) ? ['read', 'write'] : ['read'],
      };
    const vault = offer.vaults.find((slug) => notes === `vault:${slug}`);
    if (vault === undefined)
      throw new GroveError('bad_input', { name: 'notes', reason: 'what was chosen is not there any more' });
    return { vault, trail: null, scopes: wantsWrite ? ['read', 'write'] : ['read'] };
  }

  function guestCame(
    request: FastifyRequest,
    reply: FastifyReply,
    authorization: Authorization,
    trail: TrailFacts | null,
  ): void {
    tell(authorization, trail?.id ?? null);
    record(request, reply, authorization, {
      tool: 'sign_in',
      principal: principalOf(trail === null ? null : { kind: 'trail', trail }),
      trail: trail?.id ?? null,
      vault: trail?.vault ?? '',
      outcome: trail === null ? 'trail_unknown' : 'ok',
    });
  }

  function noteRefusal(request: FastifyRequest, reply: FastifyReply, authorization: Authorization): void {
    const line = { ...loggedOf(authorization), step: 'refusal' };
    log.info(line, 'a client was not agreed to');
    const person = personOf(request, authorization);
    record(request, reply, authorization, {
      tool: 'refusal',
      principal: principalOf(person),
      trail: person?.kind === 'trail' ? person.trail.id : null,
      vault: '',
      outcome: 'ok',
    });
  }

  function record(
    request: FastifyRequest,
    reply: FastifyReply,
    { client }: Authorization,
    step: Pick<Step, 'tool' | 'principal' | 'trail' | 'vault' | 'outcome'>,
  ): void {
    const { elapsedTime: ms } = reply;
    recordStep(options, request, { ...step, client: client.name, via: 'oauth', ms, address: request.ip });
  }

  function tell(authorization: Authorization, who: string | null): void {
    const line = { ...loggedOf(authorization), step: 'sign_in', who };
    if (who === null) log.warn(line, 'a sign-in was refused');
    else log.info(line, 'a person signed in');
  }
};

/** Nobody is nobody's name yet. */
function principalOf(person: Person | null): NonNullable<Step['principal']> {
  if (person?.kind === 'trail') return { kind: 'trail', id: person.trail.id, name: person.trail.name };
  return { kind: 'owner', id: person === null ? '' : 'owner', name: person === null ? '' : 'owner' };
}

/** What the forms of one authorization belong to, which the browser proves by its cookie. */
function subjectOf({ uid }: Authorization): string {
  return `authorization ${uid}`;
}

function loggedOf({ client }: Authorization): object {
  return { client: client.id, clientName: client.name, redirect: client.redirect };
}
