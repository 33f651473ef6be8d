import formBody from '@fastify/formbody';
import type { FastifyPluginAsync } from 'fastify';
import type { AppOptions } from '../http/options.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { requireOwnOrigin } from '../pages/own-origin.ts';
import { activityRoutes } from './activity/routes.ts';
import { callRoutes } from './calls/routes.ts';
import { clientRoutes } from './clients/routes.ts';
import { OwnerDesk } from './desk/owner-desk.ts';
import { keyRoutes } from './keys/routes.ts';
import type { OwnerSignIn } from './sign-in/owner-sign-in.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { stateRoutes } from './state/routes.ts';
import { trailRoutes } from './trails/routes.ts';

interface OwnerOptions extends AppOptions {
  readonly signIn: OwnerSignIn;
}

const MAX_FORM_BYTES = 16 * 1024;

/**
 * `/owner`: what the owner looks at and decides, signed in, on a phone too. Every page is made by the server and works
 * without scripts; every change is a form that is posted, and answered by the page that shows it.
 */
export const ownerPages: FastifyPluginAsync<OwnerOptions> = async (app, options) => {
  const { publicUrl, limits } = options;
  app.removeAllContentTypeParsers();
  await app.register(formBody, { bodyLimit: MAX_FORM_BYTES });
  app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, limits.maxBodyBytes));
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST') requireOwnOrigin(request, publicUrl);
  });
  await app.register(signInRoutes, options);
  const desk = new OwnerDesk(options);
  desk.entrance(app);
  await app.register(activityRoutes, { desk });
  await app.register(keyRoutes, { desk });
  await app.register(trailRoutes, { desk });
  await app.register(clientRoutes, { desk });
  await app.register(callRoutes, { desk });
  await app.register(stateRoutes, { desk });
};
