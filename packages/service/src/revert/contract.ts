import { z } from 'zod';
import { flag, type InputOf, requiredText } from '../parameters/parameter.ts';

export const revertParameters = {
  key: requiredText('Whose words go: a key id, kind:id, or the name that its commits carry.', {
    guesses: ['by', 'name', 'id', 'principal'],
  }),
  since: requiredText('Undo what was written since: a date, a time, 2h, 7d.', {
    guesses: ['after', 'from', 'start'],
  }),
  dry_run: flag(false, 'Only tell what would be undone.', { guesses: ['preview', 'simulate'] }),
} as const;

export type RevertInput = InputOf<typeof revertParameters>;

const undoneShape = z.object({
  path: z.string(),
  change: z.enum(['restored', 'changed', 'removed']),
  diff: z.string().optional(),
});

const leftShape = z.object({ path: z.string(), reason: z.string() });

export const revertOutput = z.object({
  /** As kind:id. */
  key: z.string(),
  since: z.string(),
  dry_run: z.boolean().optional(),
  /** Commits of the key since then. */
  commits: z.int(),
  undone: z.array(undoneShape),
  undone_total: z.int(),
  /** Notes that keep something of what the key wrote, and why. */
  left: z.array(leftShape),
  left_total: z.int(),
  /** The commit that undid it. */
  commit: z.string().optional(),
  conflict_saved: z.array(z.string()).optional(),
  remarks: z.array(z.string()),
});

export type RevertAnswer = z.infer<typeof revertOutput>;
