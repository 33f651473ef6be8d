import { parseExpiry, parseScopes } from '@grove/access';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { html } from '../../pages/html.ts';
import type { OwnerDesk, Visit } from '../desk/owner-desk.ts';
import { named } from '../desk/shown.ts';
import { ACCESS, EXPIRIES, keysPage } from './page.ts';

const newKey = z.object({
  name: z.string().max(300),
  access: z.enum(ACCESS.map(({ scopes }) => scopes) as [string, ...string[]]),
  expires: z.enum(EXPIRIES.map(({ span }) => span) as [string, ...string[]]),
});
const key = z.object({ id: z.string().max(40) });

/** `/owner/vaults/{vault}/keys`: the keys of a vault, to make, rotate and revoke. */
export const keyRoutes: FastifyPluginAsync<{ readonly desk: OwnerDesk }> = async (app, { desk }) => {
  const { control, clock } = desk.options;
  const { keys } = control;
  const ownKey = ({ opened }: Visit, id: string) => keys.find(id, { vault: opened.slug });

  desk.page(app, 'keys', '', (visit) => keysPage(visit, keys.list({ vault: visit.opened.slug })));

  desk.deed(app, {
    path: 'keys',
    tool: 'key_create',
    section: 'keys',
    fields: newKey,
    run: ({ opened }, { name, access, expires }) => {
      const made = keys.create({
        name,
        vault: opened.slug,
        scopes: parseScopes(access),
        expiresAt: parseExpiry(expires, clock),
      });
      return shownOnce(made.key.name, made.token);
    },
  });

  desk.deed(app, {
    path: 'keys/rotate',
    tool: 'key_rotate',
    section: 'keys',
    fields: key,
    run: (visit, { id }) => {
      const { key, token } = keys.rotate(ownKey(visit, id).id);
      return shownOnce(key.name, token);
    },
  });

  desk.deed(app, {
    path: 'keys/revoke',
    tool: 'key_revoke',
    section: 'keys',
    fields: key,
    run: (visit, { id }) => {
      const { name } = keys.revoke(ownKey(visit, id).id);
      return html`<p>Revoked: ${named(name)}. It opens nothing from its next call on.</p>`;
    },
  });
};

function shownOnce(name: string, token: string) {
  return html`<p>The key of ${named(name)}. It is shown this once: keep it now.</p><code class="secret">${token}</code>`;
}
