import { z } from 'zod';
import { choice, type InputOf, text } from '../parameters/parameter.ts';

export const vaultStatusParameters = {
  mode: choice(['health'], 'health: what is indexed, what is not and why.', {
    guesses: ['of', 'what', 'view'],
  }),
  path: text('Only this file: is it indexed, and if not, why?', { guesses: ['file', 'note', 'name'] }),
} as const;

export type VaultStatusInput = InputOf<typeof vaultStatusParameters>;

const fileShape = z.object({
  path: z.string(),
  status: z.enum(['indexed', 'pending', 'skipped', 'unknown']),
  reason: z.string(),
});

const skippedShape = z.object({ path: z.string(), reason: z.string() });

const indexShape = z.object({
  state: z.string(),
  /** Why the index or the catalog was built anew, when it was. */
  rebuilt: z.string().optional(),
  problem: z.string().optional(),
  /** For the owner: what is in it and what waits. */
  documents: z.int().optional(),
  pending: z.int().optional(),
});

const watchingShape = z.object({
  mode: z.enum(['events', 'poll']),
  /** Longest time, in milliseconds, until a change from outside is seen. */
  bound_ms: z.number(),
  problem: z.string().optional(),
  last_look: z.string().optional(),
});

export const vaultStatusOutput = z.object({
  mode: z.enum(['health']),
  vault: z.string(),
  state: z.enum(['opening', 'ready', 'degraded', 'closed']),
  problem: z.string().optional(),
  dialect: z.string(),
  zone: z.string(),
  now: z.string(),
  /** Of what the caller may see. */
  notes: z.int(),
  folders: z.int(),
  tags: z.int(),
  words: z.int(),
  bytes: z.int(),
  broken_frontmatter: z.array(z.string()),
  broken_frontmatter_total: z.int(),
  index: indexShape,
  history: z.object({ ready: z.boolean(), problem: z.string().optional() }),
  /** Whether notes may be written: the switch of the owner, and for the owner what stands in the way. */
  writes: z.object({ on: z.boolean(), problem: z.string().optional() }).optional(),
  embedding: z.object({ configured: z.boolean(), note: z.string() }),
  /** For the owner only, from here. */
  skipped: z.array(skippedShape).optional(),
  skipped_total: z.int().optional(),
  skipped_reasons: z.record(z.string(), z.int()).optional(),
  unreadable_folders: z.array(z.string()).optional(),
  watching: watchingShape.optional(),
  memory_bytes: z.int().optional(),
  /** Notes read and parsed since the vault was opened: 0 after an unchanged restart. */
  parsed: z.int().optional(),
  file: fileShape.optional(),
  remarks: z.array(z.string()),
});

export type HealthAnswer = z.infer<typeof vaultStatusOutput>;
export type FileStatus = z.infer<typeof fileShape>;
