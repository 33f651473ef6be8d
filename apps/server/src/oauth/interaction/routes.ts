import formBody from '@fastify/formbody';
import type { Control, TrailFacts } from '@grove/access';
import { GroveError } from '@grove/core';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import * as z from 'zod';
import type { AppOptions } from '../../http/options.ts';
import { sendErrorPage } from '../../pages/error-page.ts';
import { sendPage } from '../../pages/page.ts';
import { parseForm } from '../../pages/parse-form.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type Agreement, agree } from './agree.ts';
import { type Authorization, authorizationOf, notePerson, type Person, personOf } from './authorization.ts';
import { canWrite, consentPage } from './consent-page.ts';
import { formToken, requireFormToken } from './form-token.ts';
import { inviteSecretOf } from './invite-secret.ts';
import { type SignInState, signInPage } from './sign-in-page.ts';

interface InteractionRoutesOptions extends AppOptions {
  readonly server: AuthorizationServer;
}

const MAX_FORM_BYTES = 16 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

const form = z.string().max(200).default('');
const ownerForm = z.object({ form, passphrase: z.string().max(1024).default('') });
const trailForm = z.object({ form, secret: z.string().max(1024).default('') });
const plainForm = z.object({ form });
const consentForm = z.object({
  form,
  notes: z.string().max(300),
  access: z.enum(['read', 'write']),
});

/** What a person meets on the way from a client to its tokens: signing in, and the consent. */
export const interactionRoutes: FastifyPluginAsync<InteractionRoutesOptions> = async (app, options) => {
  const { control, limits, log, server, vaults } = options;
  const open = { config: { access: 'open' as const, bodies: FORM_TYPE }, exposeHeadRoute: false };

  app.removeAllContentTypeParsers();
  await app.register(formBody, { bodyLimit: MAX_FORM_BYTES });
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, limits.maxBodyBytes));

  app.get('/oauth/interaction/:uid', open, async (request, reply) => {
    const authorization = await authorizationOf(server, request, reply);
    const person = personOf(control, authorization);
    if (person === null) return sendPage(reply, signInPage(authorization, stateOf(authorization)));
    return sendPage(reply, consentPage(authorization, person, offerOf(authorization)));
  });

  app.post('/oauth/interaction/:uid/owner', open, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, ownerForm);
    const isOwner = await control.owner.verify(sent.passphrase);
    tell(request, authorization, 'sign in', isOwner ? 'owner' : null);
    if (!isOwner) return failed(reply, authorization, 'passphrase', 'This is not the passphrase.');
    return await goOn(request, reply, authorization, { kind: 'owner' });
  });

  app.post('/oauth/interaction/:uid/trail', open, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, trailForm);
    const trail = trailOf(control, sent.secret);
    tell(request, authorization, 'sign in', trail?.id ?? null);
    if (trail === null)
      return failed(
        reply,
        authorization,
        'trail',
        'No trail answers to this. It may have been ended or replaced.',
      );
    return await goOn(request, reply, authorization, { kind: 'trail', trail });
  });

  app.post('/oauth/interaction/:uid/consent', open, async (request, reply) => {
    const { authorization, sent } = await formOf(request, reply, consentForm);
    const person = personOf(control, authorization);
    if (person === null) throw new GroveError('authorization_over');
    const agreement = agreementOf(authorization, person, sent);
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
    // The prompts that clients may ask for, all of which this page was.
    const prompts = { login: { accountId, remember: false }, consent: { grantId }, select_account: {} };
    return await finish(request, reply, prompts);
  });

  app.post('/oauth/interaction/:uid/refuse', open, async (request, reply) => {
    const { authorization } = await formOf(request, reply, plainForm);
    log.info({ ...loggedOf(authorization), step: 'refusal' }, 'a client was not agreed to');
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
    requireFormToken(control, authorization.uid, sent.form);
    return { authorization, sent };
  }

  async function goOn(
    request: FastifyRequest,
    reply: FastifyReply,
    { uid }: Authorization,
    person: Person,
  ): Promise<FastifyReply> {
    await notePerson(server, request, reply, person);
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
    reply: FastifyReply,
    authorization: Authorization,
    at: 'passphrase' | 'trail',
    message: string,
  ): FastifyReply {
    return sendPage(reply, signInPage(authorization, stateOf(authorization, { at, message })), 403);
  }

  function stateOf({ uid }: Authorization, failure: SignInState['failure'] = null): SignInState {
    return { form: formToken(control, uid), hasPassphrase: control.owner.isSet(), failure };
  }

  function offerOf({ uid }: Authorization) {
    const slugs = vaults.map(({ slug }) => slug);
    const trails = control.trails
      .list()
      .filter(({ state, vault }) => state === 'live' && slugs.includes(vault));
    return { form: formToken(control, uid), vaults: slugs, trails };
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

  function tell(
    request: FastifyRequest,
    authorization: Authorization,
    step: string,
    who: string | null,
  ): void {
    const line = { ...loggedOf(authorization), step, who, reqId: request.id };
    if (who === null) log.warn(line, 'a sign-in was refused');
    else log.info(line, 'a person signed in');
  }
};

function loggedOf({ client }: Authorization): object {
  return { client: client.id, clientName: client.name, redirect: client.redirect };
}

/** The live trail of an invite, an invite link, or one of its tokens. */
function trailOf(control: Control, text: string): TrailFacts | null {
  const secret = inviteSecretOf(text);
  const trail = control.trails.byInvite(secret);
  if (trail !== null) return trail;
  const verified = control.credentials.verify(secret);
  return verified?.kind === 'trail' ? verified.trail : null;
}
