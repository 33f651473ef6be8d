import { vaultStatus } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { answerWith } from './answer.ts';
import { inputOf } from './parameters.ts';

const STATUS = { config: { access: 'read', tool: vaultStatus.name } } as const;

/** `GET /v1/status` and `/v1/status/{mode}`: the state of the vault. */
export const statusRoutes: FastifyPluginAsync = async (app) => {
  app.get('/v1/status', STATUS, (request, reply) =>
    answerWith(request, reply, vaultStatus, inputOf(request, vaultStatus, { mode: 'health' })),
  );
  app.get('/v1/status/:mode', STATUS, (request, reply) => {
    const { mode } = request.params as { readonly mode: string };
    return answerWith(request, reply, vaultStatus, inputOf(request, vaultStatus, { mode }));
  });
};
