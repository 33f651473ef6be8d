import { randomBytes } from 'node:crypto';
import { GroveError, isGroveError } from '@grove/core';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { AppOptions } from '../../http/options.ts';
import { cookieOf, dropCookie, keepCookie } from '../../pages/cookies.ts';
import { formToken, requireFormToken } from '../../pages/form-token.ts';
import { sendPage } from '../../pages/page.ts';
import { parseForm } from '../../pages/parse-form.ts';
import { goTo, OWNER_ROUTE, requireOwnerForm } from '../desk/owner-route.ts';
import type { OwnerSignIn, PassphraseFailure } from './owner-sign-in.ts';
import { ownerSignInPage, type SignInForm, setupOverPage, setupPage } from './pages.ts';

interface SignInRoutesOptions extends AppOptions {
  readonly signIn: OwnerSignIn;
}

/** Names the browser before it has a session, so that nobody else's form signs it in. */
const COOKIE = 'grove_form';

const text = z.string().max(1_100).default('');
const signInForm = z.object({ form: text, passphrase: text, next: text });
const setupForm = z.object({ form: text, token: text, passphrase: text, again: text });
const signOutForm = z.object({ form: text });
const setupQuery = z.object({ token: text });
const signInQuery = z.object({ next: text });

/** `/owner/sign-in`, `/owner/sign-out` and `/owner/setup`. */
export const signInRoutes: FastifyPluginAsync<SignInRoutesOptions> = async (app, options) => {
  const { control, publicUrl, signIn } = options;
  const { sessions } = signIn;
  const limited = { ...OWNER_ROUTE, onRequest: app.limitByAddress('sign-ins', options.limits.maxSignIns) };

  app.get('/owner/sign-in', OWNER_ROUTE, async (request, reply) => {
    const next = ownPath(parseForm(signInQuery, request.query).next);
    if (sessions.of(request) !== null) return goTo(reply, next);
    return showSignIn(request, reply, next, null);
  });

  app.post('/owner/sign-in', limited, async (request, reply) => {
    const sent = parseForm(signInForm, request.body);
    requireBrowser(request, sent.form);
    const next = ownPath(sent.next);
    const failure = await signIn.prove(request, reply, sent.passphrase, 'owner');
    if (failure !== null) return showSignIn(request, reply, next, failure);
    sessions.open(request, reply);
    dropCookie(reply, COOKIE);
    return goTo(reply, next);
  });

  app.post('/owner/sign-out', OWNER_ROUTE, async (request, reply) => {
    const session = sessions.of(request);
    if (session !== null) {
      requireOwnerForm(control, session, parseForm(signOutForm, request.body).form);
      sessions.end(request, reply);
    }
    return goTo(reply, '/owner/sign-in');
  });

  app.get('/owner/setup', OWNER_ROUTE, async (request, reply) => {
    const { token } = parseForm(setupQuery, request.query);
    if (!control.owner.isSetupToken(token)) return sendPage(reply, setupOverPage(), 410);
    return sendPage(reply, setupPage(formOf(request, reply, null), token));
  });

  app.post('/owner/setup', limited, async (request, reply) => {
    const { form, token, passphrase, again } = parseForm(setupForm, request.body);
    requireBrowser(request, form);
    if (!control.owner.isSetupToken(token)) return sendPage(reply, setupOverPage(), 410);
    if (passphrase !== again)
      return sendPage(reply, setupPage(formOf(request, reply, 'The two are not the same.'), token), 400);
    // Used up before it is hashed: the same link twice at once sets one passphrase.
    if (!control.owner.useSetupToken(token)) return sendPage(reply, setupOverPage(), 410);
    try {
      await control.owner.set(passphrase);
    } catch (error) {
      if (!isGroveError(error, 'bad_input')) throw error;
      const failure = formOf(request, reply, error.message);
      return sendPage(reply, setupPage(failure, control.owner.setupToken()), 400);
    }
    request.log.info('the passphrase of the owner was set');
    signIn.remember(request, reply);
    sessions.open(request, reply);
    dropCookie(reply, COOKIE);
    return goTo(reply, '/owner');
  });

  function showSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    next: string,
    failure: PassphraseFailure | null,
  ): FastifyReply {
    const form = formOf(request, reply, failure?.message ?? null);
    const hasPassphrase = control.owner.isSet();
    return sendPage(reply, ownerSignInPage(form, { hasPassphrase, next }), failure?.status);
  }

  function formOf(request: FastifyRequest, reply: FastifyReply, failure: string | null): SignInForm {
    let browser = browserOf(request);
    if (browser === null) {
      browser = randomBytes(32).toString('base64url');
      keepCookie(request, reply, publicUrl, {
        name: COOKIE,
        value: browser,
        maxAge: 3_600,
        isHarmless: true,
      });
    }
    return { form: formToken(control, `browser ${browser}`), failure };
  }

  function requireBrowser(request: FastifyRequest, form: string): void {
    const browser = browserOf(request);
    if (browser === null) throw new GroveError('form_refused');
    requireFormToken(control, `browser ${browser}`, form);
  }
};

function browserOf(request: FastifyRequest): string | null {
  const browser = cookieOf(request, COOKIE);
  return browser !== null && /^[A-Za-z0-9_-]{43}$/.test(browser) ? browser : null;
}

/** A page of the owner's to go on to; never another place. */
function ownPath(next: string): string {
  return /^\/owner\/vaults\/[\w%.~/-]*$/.test(next) && !next.includes('//') ? next : '/owner';
}
