import { z } from 'zod';
import { flag, type InputOf, text } from '../parameters/parameter.ts';

export const trashParameters = {
  empty: flag(false, 'Remove what lies in it, for good.', { guesses: ['purge', 'clear'] }),
  older_than: text('Only what was deleted before: 30d, a date, a time.', {
    guesses: ['before', 'until', 'age'],
  }),
  dry_run: flag(false, 'Only tell what would be removed.', { guesses: ['preview', 'simulate'] }),
} as const;

export type TrashInput = InputOf<typeof trashParameters>;

const batchShape = z.object({
  batch: z.string(),
  deleted: z.string(),
  /** Paths that the notes had; at most a hundred. */
  notes: z.array(z.string()),
  notes_total: z.int(),
  bytes: z.int(),
});

export const trashOutput = z.object({
  now: z.string(),
  dry_run: z.boolean().optional(),
  /** True when these batches were removed; else they lie in the trash. */
  emptied: z.boolean().optional(),
  /** The newest deletion first. */
  batches: z.array(batchShape),
  batches_total: z.int(),
  /** Of all batches. */
  notes: z.int(),
  bytes: z.int(),
  /** Batches that stay, and why. */
  left: z.array(z.object({ batch: z.string(), reason: z.string() })),
  left_total: z.int(),
});

export type TrashAnswer = z.infer<typeof trashOutput>;
