import { STAGES } from '@grove/graph';
import { z } from 'zod';
import { noteFactsShape } from '../../answers/note-facts.ts';

const stagedNoteShape = z.object({
  ...noteFactsShape,
  /** Whole days since it was made, and since it was changed. */
  age: z.int(),
  untouched: z.int(),
  words: z.int(),
  backlinks: z.int(),
});

export const digestOutput = z.object({
  mode: z.literal('digest'),
  vault: z.string(),
  remarks: z.array(z.string()),
  now: z.string(),
  notes: z.int(),
  /** Notes without a stage, by the owner's settings. */
  left_out: z.int(),
  /** All six, each with its first notes. */
  stages: z.array(z.object({ stage: z.enum(STAGES), total: z.int(), notes: z.array(stagedNoteShape) })),
  /** What needs a look today; none where nothing does. */
  attention: z.array(
    z.object({
      what: z.enum(['ripe_seeds', 'unlinked', 'asked_for', 'withering', 'unreviewed']),
      why: z.string(),
      total: z.int(),
      /** Paths; for `asked_for` what is linked to and not there. */
      examples: z.array(z.string()),
    }),
  ),
});

export type DigestAnswer = z.infer<typeof digestOutput>;
