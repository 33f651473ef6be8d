import { isGroveError } from '@grove/core';
import { approve, type HistoryAnswer, revert, undoChange, vaultStatus } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { html } from '../../pages/html.ts';
import { parseForm } from '../../pages/parse-form.ts';
import type { OwnerDesk, Visit } from '../desk/owner-desk.ts';
import { counted, named } from '../desk/shown.ts';
import { type Activity, activityPage, revertPage } from './page.ts';

/** Commits of one page. */
const COMMITS = 15;

const deletion = z.object({ id: z.string().max(40), answer: z.enum(['yes', 'no']) });
const change = z.object({ commit: z.string().max(64), path: z.string().max(2_000) });
const revertForm = z.object({ key: z.string().max(300), since: z.string().max(100) });
const activityQuery = z.object({ cursor: z.string().max(2_000).optional() });

/** `/owner/vaults/{vault}/activity`: deletions that wait, what was written, and the ways back. */
export const activityRoutes: FastifyPluginAsync<{ readonly desk: OwnerDesk }> = async (app, { desk }) => {
  desk.page(app, 'activity', '', async (visit) => activityPage(visit, await activityOf(visit)));

  desk.page(app, 'activity', '/revert', async (visit) => {
    const { key, since } = parseForm(revertForm, visit.request.query);
    return revertPage(visit, await revert.run(visit.scope, revert.parse({ key, since, dry_run: true })));
  });

  desk.deed(app, {
    path: 'deletions',
    tool: 'approve',
    section: 'activity',
    fields: deletion,
    run: async ({ scope }, { id, answer }) => {
      const { approved } = await approve.run(scope, approve.parse({ id, deny: answer === 'no' }));
      return approved === undefined
        ? html`<p>Refused: nothing is deleted.</p>`
        : html`<p>Allowed: the same call passes once within the next five minutes.</p>`;
    },
  });

  desk.deed(app, {
    path: 'undo',
    tool: 'undo',
    section: 'activity',
    fields: change,
    run: async ({ scope }, wish) => {
      // The button was the question: a new note goes to the trash, from where it can be brought back.
      const { path, conflict_saved: saved } = await undoChange(
        { ...scope, confirm: async () => 'accepted' },
        wish,
      );
      return html`<p>Undone: ${named(path ?? wish.path)}</p>${saved !== undefined && html`<p>Newer words are kept in ${named(saved.join(', '))}</p>`}`;
    },
  });

  desk.deed(app, {
    path: 'revert',
    tool: 'revert',
    section: 'activity',
    fields: revertForm,
    run: async ({ scope }, { key, since }) => {
      const done = await revert.run(scope, revert.parse({ key, since }));
      return html`<p>Undone in ${counted(done.undone_total, 'note')} what ${named(done.key)} wrote.</p>
${done.left_total > 0 && html`<p>${counted(done.left_total, 'note keeps', 'notes keep')} something of it.</p>`}`;
    },
  });
};

async function activityOf({ scope, request }: Visit): Promise<Activity> {
  const { cursor } = parseForm(activityQuery, request.query);
  const { waiting } = await approve.run(scope, approve.parse({}));
  const isFirst = cursor === undefined;
  try {
    const asked = { mode: 'history', diff: true, limit: COMMITS, ...(isFirst ? {} : { cursor }) };
    const history = await vaultStatus.run(scope, vaultStatus.parse(asked));
    return { waiting, history: history as HistoryAnswer, problem: null, isFirst };
  } catch (error) {
    if (!isGroveError(error, 'history_unavailable')) throw error;
    return { waiting, history: null, problem: `${error.message} ${error.hint}`, isFirst };
  }
}
