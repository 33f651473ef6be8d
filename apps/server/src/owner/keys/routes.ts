import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { html } from '../../pages/html.ts';
import { keyWishOf } from '../../routes/key-wish.ts';
import { filledIn, MOST_LETTERS } from '../desk/fields.ts';
import type { OwnerDesk, Visit } from '../desk/owner-desk.ts';
import { named } from '../desk/shown.ts';
import { ACCESS, keysPage } from './page.ts';

const text = z.string().max(MOST_LETTERS).default('');
/** What is sent to make a key, by the names that it has over REST. */
const newKey = z.object({
  name: text,
  scopes: z.enum(ACCESS.map(({ scopes }) => scopes) as [string, ...string[]]),
  expires: text,
  read_paths: text,
  write_paths: text,
  deny_paths: text,
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
    run: ({ opened }, sent) => {
      const made = keys.create({ ...keyWishOf(filledIn(sent), clock), vault: opened.slug });
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
