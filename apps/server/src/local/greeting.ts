import { GroveError } from '@grove/core';
import * as z from 'zod';
import { RULE_SOURCES } from '../rule-sources.ts';
import { TRAIL_RULE_TEXTS } from '../trails/rule-texts.ts';

/** Version of the words spoken on the local socket; both ends must agree. */
export const LOCAL_PROTOCOL = 1;
/** Largest first line: a call with its whole input. */
export const MAX_GREETING_BYTES = 1024 * 1024;

const GREETING = z.discriminatedUnion('mode', [
  z.object({ protocol: z.number(), mode: z.literal('mcp'), rules: RULE_SOURCES }),
  z.object({
    protocol: z.number(),
    mode: z.literal('call'),
    rules: RULE_SOURCES,
    operation: z.string().max(64),
    input: z.unknown(),
  }),
  z.object({ protocol: z.number(), mode: z.literal('reindex') }),
  z.object({ protocol: z.number(), mode: z.literal('maintain') }),
  // Null only asks how it stands.
  z.object({ protocol: z.number(), mode: z.literal('writes'), on: z.boolean().nullable() }),
  z.object({
    protocol: z.number(),
    mode: z.literal('preview'),
    rules: TRAIL_RULE_TEXTS,
    note: z.string().max(4_096).nullable(),
  }),
  z.object({ protocol: z.number(), mode: z.literal('owner') }),
  z.object({ protocol: z.number(), mode: z.literal('hand-over'), pid: z.number().int() }),
]);

/** First line on the socket: who connects and what for. */
export type Greeting = z.infer<typeof GREETING>;

const OWNER_FACTS = z.object({
  protocol: z.number(),
  kind: z.enum(['server', 'stdio', 'cli']),
  pid: z.number().int(),
  version: z.string(),
  // Absent in the answer of an owner that cannot serve HTTP.
  http: z
    .object({
      url: z.string(),
      publicUrl: z.string().nullable(),
      // Absent in the answer of an owner that does not look at them.
      proxies: z.object({ named: z.boolean(), unnamed: z.string().nullable() }).optional(),
    })
    .nullable()
    .default(null),
});

/**
 * Where an owner serves HTTP: on this machine, and for others when it was told so. No trailing slashes. Of proxies in front
 * of it whether any is named, and the address of one that is not and passed a request on.
 */
export type HttpAddress = NonNullable<OwnerFacts['http']>;

/** What the owner says of itself. */
export type OwnerFacts = z.infer<typeof OWNER_FACTS>;

const REPLY = z.union([
  z.object({ owner: OWNER_FACTS }),
  z.object({ progress: z.object({ phase: z.string(), done: z.number(), total: z.number().nullable() }) }),
  z.object({ output: z.unknown() }),
  z.object({
    error: z.looseObject({ code: z.string(), message: z.string(), next: z.string() }),
  }),
]);

/** A line from the owner that belongs to no MCP stream. */
export type Reply = z.infer<typeof REPLY>;

/** Parses the first line. Throws `bad_input` for anything else, another protocol version included. */
export function parseGreeting(line: string): Greeting {
  const parsed = GREETING.safeParse(parseJson(line));
  if (!parsed.success) throw new GroveError('bad_input', { reason: 'the first line is no greeting' });
  if (parsed.data.protocol !== LOCAL_PROTOCOL)
    throw new GroveError('bad_input', {
      reason: `the other process speaks version ${parsed.data.protocol} of the local protocol, this one ${LOCAL_PROTOCOL}`,
    });
  return parsed.data;
}

/** Parses one reply. Throws `bad_input`. */
export function parseReply(line: string): Reply {
  const parsed = REPLY.safeParse(parseJson(line));
  if (!parsed.success) throw new GroveError('bad_input', { reason: 'the owner answered something else' });
  return parsed.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new GroveError('bad_input', { reason: 'the line is not JSON' }, { cause });
  }
}
