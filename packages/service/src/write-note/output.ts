import { z } from 'zod';
import { noteFactsShape } from '../answers/note-facts.ts';
import { errorShape } from '../errors/payload.ts';

const tagShape = z.object({ tag: z.string(), action: z.string(), location: z.string() });

const resultShape = {
  action: z.string(),
  ...noteFactsShape,
  created: z.boolean().optional(),
  /** Nothing was written, because nothing was to do. */
  already_there: z.boolean().optional(),
  /** The note had changed since `if_hash`; both changes are in it. */
  merged: z.boolean().optional(),
  /** The answer of an earlier call with the same idempotency key. */
  replayed: z.boolean().optional(),
  commit: z.string().optional(),
  source_hash: z.string().optional(),
  content_hash: z.string().optional(),
  size_before: z.int().optional(),
  size_after: z.int().optional(),
  diff: z.string().optional(),
  /** For edit: how often each find matched. */
  matches: z.array(z.int()).optional(),
  /** For tags. */
  applied: z.array(tagShape).optional(),
  skipped: z.array(tagShape.extend({ reason: z.string() })).optional(),
  /** Notes that the new text names and does not link: what to put in the place of the text on that line. */
  suggestions: z
    .array(z.object({ path: z.string(), link: z.string(), text: z.string(), line: z.int() }))
    .optional(),
  /** Copies that hold somebody's newer words. */
  conflict_saved: z.array(z.string()).optional(),
  /** For move: where it was. */
  moved_from: z.string().optional(),
  /** For move: notes whose links were written anew. */
  mended: z.array(z.object({ path: z.string(), links: z.int() })).optional(),
  /** The call that takes it back. */
  undo: z.record(z.string(), z.unknown()).optional(),
  remarks: z.array(z.string()).optional(),
};

const itemShape = z.object({
  /** Place of the operation in the batch, from 0. */
  op: z.int(),
  ...z.object(resultShape).partial().shape,
  error: errorShape.optional(),
});

export const writeNoteOutput = z.object({
  ...z.object(resultShape).partial().shape,
  /** Nothing was written: this is what would be. */
  dry_run: z.boolean().optional(),
  /** For a batch: each operation, in order. */
  results: z.array(itemShape).optional(),
  remarks: z.array(z.string()),
});

export type WriteNoteAnswer = z.infer<typeof writeNoteOutput>;
export type WriteNoteItem = z.infer<typeof itemShape>;
export type WriteNoteResult = z.infer<z.ZodObject<typeof resultShape>>;
