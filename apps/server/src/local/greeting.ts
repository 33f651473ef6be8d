import { GroveError } from '@grove/core';
import { parsePathRule, type ViewRules } from '@grove/vault';
import * as z from 'zod';

/** Version of the words spoken on the local socket; both ends must agree. */
export const LOCAL_PROTOCOL = 1;
/** Largest first line: a call with its whole input. */
export const MAX_GREETING_BYTES = 1024 * 1024;

const RULES = z.object({
  readPaths: z.array(z.string()),
  writePaths: z.array(z.string()),
  denyPaths: z.array(z.string()),
  readOnly: z.boolean(),
});

/** What a session may reach, as text: the limits of the process that connects, never wider than the owner's. */
export type RuleSources = z.infer<typeof RULES>;

const GREETING = z.discriminatedUnion('mode', [
  z.object({ protocol: z.number(), mode: z.literal('mcp'), rules: RULES }),
  z.object({
    protocol: z.number(),
    mode: z.literal('call'),
    rules: RULES,
    operation: z.string().max(64),
    input: z.unknown(),
  }),
  z.object({ protocol: z.number(), mode: z.literal('reindex') }),
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
  http: z.object({ url: z.string(), publicUrl: z.string().nullable() }).nullable().default(null),
});

/** Where an owner serves HTTP: on this machine, and for others when it was told so. No trailing slashes. */
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

/** Compiles rules that came as text. Throws `bad_rule`. */
export function compileRules(sources: RuleSources): ViewRules {
  return {
    readPaths: sources.readPaths.map(parsePathRule),
    writePaths: sources.writePaths.map(parsePathRule),
    denyPaths: sources.denyPaths.map(parsePathRule),
    readOnly: sources.readOnly,
  };
}

/** The rules to make a scope with: undefined, which is the owner's own View, where there are none. */
export function rulesOrNone(rules: ViewRules): ViewRules | undefined {
  const { readPaths, writePaths, denyPaths, readOnly } = rules;
  const limited = readOnly || readPaths.length + writePaths.length + denyPaths.length > 0;
  return limited ? rules : undefined;
}

/** No limits beyond the owner's. */
export const NO_LIMITS: RuleSources = { readPaths: [], writePaths: [], denyPaths: [], readOnly: false };

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new GroveError('bad_input', { reason: 'the line is not JSON' }, { cause });
  }
}
