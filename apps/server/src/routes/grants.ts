import { grantRecord } from '@grove/access';
import type { FastifyPluginAsync } from 'fastify';
import { requireUnlimited } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import { callerOf } from '../plugins/auth.ts';
import { formOf } from './forms.ts';
import { takesNoParameters } from './parameters.ts';
import { sendUnkept } from './send-unkept.ts';

/** `/v1/grants`: the OAuth clients that were let in to the caller's own vault, for the scope admin. */
export const grantRoutes: FastifyPluginAsync<Pick<AppOptions, 'control'>> = async (app, { control }) => {
  const { grants } = control;
  const admin = { config: { access: 'admin' as const } };

  app.addHook('preHandler', async (request) => {
    formOf(request, ['json']);
    takesNoParameters(request);
    requireUnlimited(callerOf(request));
  });

  app.get('/v1/grants', admin, async (request, reply) => {
    const vault = callerOf(request).opened.slug;
    return sendUnkept(reply, { grants: grants.list({ vault }).map(grantRecord) });
  });

  app.delete('/v1/grants/:id', admin, async (request, reply) => {
    const { id } = request.params as { readonly id: string };
    const grant = grants.find(id, { vault: callerOf(request).opened.slug });
    return sendUnkept(reply, grantRecord(grants.revoke(grant.id)));
  });
};
