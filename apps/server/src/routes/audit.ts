import { type AuditPage, auditRecord, parseSince } from '@grove/access';
import { type Clock, GroveError } from '@grove/core';
import { parseInput } from '@grove/service';
import type { FastifyPluginAsync } from 'fastify';
import { requireUnlimited } from '../http/caller.ts';
import type { AppOptions } from '../http/options.ts';
import { callerOf } from '../plugins/auth.ts';
import { queryOf } from './address.ts';
import { auditParameters } from './audit-contract.ts';
import { formOf } from './forms.ts';
import { sendUnkept } from './send-unkept.ts';

/** `GET /v1/audit`: who called what of the caller's own vault, for the scope admin. */
export const auditRoute: FastifyPluginAsync<Pick<AppOptions, 'control' | 'clock'>> = async (
  app,
  { control, clock },
) => {
  app.get('/v1/audit', { config: { access: 'admin' } }, async (request, reply) => {
    formOf(request, ['json']);
    requireUnlimited(callerOf(request));
    queryOf(request.raw.url ?? '');
    const { limit, ...filter } = pageOf(request.query, clock);
    // One more than is shown tells whether there is another page.
    const found = control.audit.list({
      ...filter,
      vaults: [callerOf(request).opened.slug],
      limit: limit + 1,
    });
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return sendUnkept(reply, {
      entries: rows.map(auditRecord),
      ...(last === undefined ? {} : { cursor: String(last.sequence) }),
    });
  });
};

function pageOf(query: unknown, clock: Clock): AuditPage & { readonly limit: number } {
  const { trail, key, tool, outcome, since, until, limit, cursor } = parseInput(auditParameters, query);
  if (cursor !== null && !/^[1-9]\d{0,14}$/.test(cursor)) throw new GroveError('bad_cursor');
  return {
    limit,
    ...(trail === null ? {} : { trail }),
    ...(key === null ? {} : { principal: key }),
    ...(tool === null ? {} : { tool }),
    ...(outcome === null ? {} : { outcome }),
    ...(since === null ? {} : { since: parseSince(since, clock) }),
    ...(until === null ? {} : { until: parseSince(until, clock) }),
    ...(cursor === null ? {} : { before: Number(cursor) }),
  };
}
