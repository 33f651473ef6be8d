import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { issuerOf } from '../../oauth/issuer.ts';
import { html } from '../../pages/html.ts';
import { trailWishOf } from '../../routes/trail-wish.ts';
import { previewAnswer } from '../../trails/preview-answer.ts';
import { filledIn } from '../desk/fields.ts';
import type { OwnerDesk, Visit } from '../desk/owner-desk.ts';
import { named } from '../desk/shown.ts';
import { newTrail } from './form.ts';
import { madeTrail, trailPage, trailsPage } from './page.ts';

const trailForm = z.object({ id: z.string().max(40) });

/** `/owner/vaults/{vault}/trails`: parts of the vault that are shared, what they show and how they are used. */
export const trailRoutes: FastifyPluginAsync<{ readonly desk: OwnerDesk }> = async (app, { desk }) => {
  const { control, clock } = desk.options;
  const { trails, audit } = control;
  const inviteLink = (secret: string) => `${issuerOf(desk.options, app.server).origin}/invite/${secret}`;
  /** What to know of a link before it is sent. */
  const reach =
    desk.options.publicUrl === null &&
    html`<p>The link opens on this machine alone: start the server with <code>--public-url</code> for others.</p>`;
  const ownTrail = ({ opened }: Visit, id: string) => trails.find(id, { vault: opened.slug });

  desk.page(app, 'trails', '', (visit) => {
    const shared = trails.list({ vault: visit.opened.slug });
    return trailsPage(
      visit,
      shared.map((trail) => ({ trail, usage: audit.sum({ trail: trail.id }).total })),
    );
  });

  desk.page(app, 'trails', '/:id', async (visit) => {
    const { id } = visit.request.params as { readonly id: string };
    const trail = ownTrail(visit, id);
    const { days } = audit.sum({ trail: trail.id });
    return trailPage(visit, trail, await previewAnswer(visit.opened, trail.rules, null), days);
  });

  desk.deed(app, {
    path: 'trails',
    tool: 'trail_create',
    section: 'trails',
    fields: newTrail,
    run: async (visit, sent) => {
      const { opened } = visit;
      const wish = trailWishOf(filledIn(sent), opened, clock);
      // First: what cannot be judged is not shared.
      const preview = await previewAnswer(opened, wish.rules, null);
      const made = trails.create(wish);
      return html`${madeTrail(visit, made, inviteLink(made.invite), preview)}${reach}`;
    },
  });

  desk.deed(app, {
    path: 'trails/disable',
    tool: 'trail_disable',
    section: 'trails',
    fields: trailForm,
    run: (visit, { id }) => {
      const { name } = trails.disable(ownTrail(visit, id).id);
      return html`<p>Disabled: ${named(name)}. It lets nobody in from the next call on.</p>`;
    },
  });

  desk.deed(app, {
    path: 'trails/enable',
    tool: 'trail_enable',
    section: 'trails',
    fields: trailForm,
    run: (visit, { id }) => {
      const { name } = trails.enable(ownTrail(visit, id).id);
      return html`<p>Enabled: ${named(name)}. Whoever had a token or an invite is let in again.</p>`;
    },
  });

  desk.deed(app, {
    path: 'trails/invite',
    tool: 'trail_invite',
    section: 'trails',
    fields: trailForm,
    run: (visit, { id }) => {
      const { id: known, name } = ownTrail(visit, id);
      const link = inviteLink(trails.newInvite(known));
      return html`<p>The invite to ${named(name)}. It is shown this once, and the one before is over. Whoever has it sees what the trail shows.</p><code class="secret">${link}</code>${reach}`;
    },
  });
};
