import { healthOf, vaultStatus } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { html } from '../../pages/html.ts';
import type { OwnerDesk } from '../desk/owner-desk.ts';
import { statePage } from './page.ts';

const writesForm = z.object({ writes: z.enum(['on', 'off']) });

/** `/owner/vaults/{vault}/state`: the index, the queue of the embedder, the history, and the switch of writing. */
export const stateRoutes: FastifyPluginAsync<{ readonly desk: OwnerDesk }> = async (app, { desk }) => {
  desk.page(app, 'state', '', async (visit) =>
    statePage(visit, healthOf(await vaultStatus.run(visit.scope, vaultStatus.parse({})))),
  );

  desk.deed(app, {
    path: 'writes',
    tool: 'writes_switch',
    section: 'state',
    fields: writesForm,
    run: async ({ opened }, { writes }) => {
      await opened.writes.switch(writes === 'on');
      return writes === 'on'
        ? html`<p>Clients may change notes now, as far as their keys let them.</p>`
        : html`<p>Clients may only read now.</p>`;
    },
  });
};
