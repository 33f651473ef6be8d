import { text, whole } from '@grove/service';
import { z } from 'zod';

/** Which entries of the audit are asked for. */
export const auditParameters = {
  trail: text('Only calls by this trail; its id.'),
  key: text('Only calls by this key or grant; its id.', { guesses: ['principal', 'grant'] }),
  tool: text('Only calls of this operation, such as query.', { guesses: ['operation'] }),
  outcome: text('ok, the code of an error, or refused for every error.', { guesses: ['code', 'status'] }),
  since: text('From when on: 7d, 12h, a day or an ISO time.', { guesses: ['after', 'from'] }),
  until: text('Until then, as since.', { guesses: ['before', 'to'] }),
  limit: whole({ min: 1, max: 500, absent: 100 }, 'Entries on one page.'),
  cursor: text('From the answer before, for the next page.'),
} as const;

/** One call, which is what `auditRecord` makes of it. */
export const auditEntryOutput = z.object({
  at: z.iso.datetime(),
  principal: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  /** The id of the trail that limited it. */
  trail: z.string().nullable(),
  /** The OAuth client. */
  client: z.string().nullable(),
  vault: z.string(),
  tool: z.string(),
  via: z.enum(['mcp', 'rest', 'cli', 'oauth', 'owner']),
  ms: z.number(),
  /** Notes in the answer. */
  found: z.int().nullable(),
  /** Notes that the owner would have found besides. */
  withheld: z.int().nullable(),
  /** `ok`, or the code of the error. */
  outcome: z.string(),
  address: z.string().nullable(),
  request_id: z.string().nullable(),
});

/** A page of the audit, newest first. */
export const auditOutput = z.object({
  entries: z.array(auditEntryOutput),
  /** For the next page; absent on the last. */
  cursor: z.string().optional(),
});
