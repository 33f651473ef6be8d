import { z } from 'zod';
import { choice, type InputOf, requiredText, text, whole } from '../parameters/parameter.ts';

export const conflictsParameters = {
  limit: whole({ min: 1, max: 100, absent: 50 }, 'Most conflicts in one answer.', {
    guesses: ['n', 'max', 'count'],
  }),
} as const;

export type ConflictsInput = InputOf<typeof conflictsParameters>;

export const settleParameters = {
  copy: requiredText('The copy, by its whole path.', { guesses: ['path', 'conflict', 'file'] }),
  keep: choice(
    ['ours', 'theirs', 'both'],
    'ours: the note stays and the copy goes to the trash. theirs: the copy takes its place. both: the copy becomes a note of its own.',
    { guesses: ['side', 'take', 'use'] },
  ),
  as: text('For both: the path of the new note.', { guesses: ['to', 'name', 'new_path'] }),
  if_hash: text('The hash of the note as it was listed, so that later words do not go.', {
    guesses: ['hash', 'note_hash'],
  }),
} as const;

export type SettleInput = InputOf<typeof settleParameters>;

const conflictShape = z.object({
  copy: z.string(),
  /** The note that it is a copy of. */
  note: z.string(),
  /** Absent where there is no such note any more. */
  note_hash: z.string().optional(),
  /** The remote whose version it is, and since when; absent for copies of other programs. */
  remote: z.string().optional(),
  day: z.string().optional(),
  /** From the note to the copy, as hunks of a unified diff, at most 1 KB; absent where they say the same. */
  diff: z.string().optional(),
});

export const conflictsOutput = z.object({
  conflicts: z.array(conflictShape),
  conflicts_total: z.int(),
  /** Other files than notes with a copy beside them: whoever wants to settle those removes one of the two. */
  files: z.array(z.string()),
});

export const settleOutput = z.object({
  copy: z.string(),
  kept: z.enum(['ours', 'theirs', 'both']),
  /** The note that has the words now. */
  note: z.string(),
  commit: z.string().optional(),
  /** Where somebody's words went that were saved at the same moment. */
  conflict_saved: z.array(z.string()).optional(),
  /** Conflicts that are left. */
  conflicts_left: z.int(),
});

export type ConflictsAnswer = z.infer<typeof conflictsOutput>;
export type ConflictAnswer = z.infer<typeof conflictShape>;
export type SettleAnswer = z.infer<typeof settleOutput>;
