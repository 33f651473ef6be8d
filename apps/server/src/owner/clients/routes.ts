import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { html } from '../../pages/html.ts';
import type { OwnerDesk } from '../desk/owner-desk.ts';
import { named } from '../desk/shown.ts';
import { clientsPage } from './page.ts';

const grantForm = z.object({ id: z.string().max(200) });

/** `/owner/vaults/{vault}/clients`: the clients that were let in by signing in. */
export const clientRoutes: FastifyPluginAsync<{ readonly desk: OwnerDesk }> = async (app, { desk }) => {
  const { grants, trails } = desk.options.control;

  desk.page(app, 'clients', '', (visit) => {
    const { slug } = visit.opened;
    const names = new Map(trails.list({ vault: slug }).map(({ id, name }) => [id, name]));
    return clientsPage(visit, grants.list({ vault: slug }), names);
  });

  desk.deed(app, {
    path: 'clients/revoke',
    tool: 'grant_revoke',
    section: 'clients',
    fields: grantForm,
    run: ({ opened }, { id }) => {
      const { clientName } = grants.revoke(grants.find(id, { vault: opened.slug }).id);
      return html`<p>Disconnected: ${named(clientName)}. None of its tokens opens anything from its next call on.</p>`;
    },
  });
};
