import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { parseForm } from '../../pages/parse-form.ts';
import type { OwnerDesk } from '../desk/owner-desk.ts';
import { callsPage } from './page.ts';

/** Lines of one page. */
const LINES = 50;

const callsQuery = z.object({
  before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
});

/** `/owner/vaults/{vault}/calls`: who called what, and how it ended. */
export const callRoutes: FastifyPluginAsync<{ readonly desk: OwnerDesk }> = async (app, { desk }) => {
  const { audit } = desk.options.control;
  desk.page(app, 'calls', '', (visit) => {
    const { before } = parseForm(callsQuery, visit.request.query);
    // Sign-ins are of no vault.
    const rows = audit.list({ vaults: [visit.opened.slug, ''], before, limit: LINES });
    return callsPage(visit, rows, rows.length === LINES);
  });
};
