import { z } from 'zod';
import { flag, type InputOf, text } from '../parameters/parameter.ts';

export const discoverParameters = {
  path: text('The note: its path, name or alias.', { guesses: ['note', 'name', 'file'] }),
  all: flag(false, 'All notes.', { guesses: ['everything', 'vault'] }),
  undo: flag(false, 'Take links back that Grove added, of one note or of all.', {
    guesses: ['revert', 'unlink'],
  }),
  from: text('Only notes from this path on: `next` of the answer before.', { guesses: ['after', 'next'] }),
  dry_run: flag(false, 'Only tell what would be linked.', { guesses: ['preview', 'simulate'] }),
} as const;

export type DiscoverInput = InputOf<typeof discoverParameters>;

const linkShape = z.object({ text: z.string(), link: z.string(), line: z.int() });

const noteShape = z.object({
  path: z.string(),
  /** At most thirty. */
  links: z.array(linkShape),
  links_total: z.int(),
});

export const discoverOutput = z.object({
  dry_run: z.boolean().optional(),
  /** True when links were taken back. */
  undo: z.boolean().optional(),
  notes: z.array(noteShape),
  notes_total: z.int(),
  /** Of all notes. */
  links: z.int(),
  commits: z.array(z.string()),
  /** Notes that stay as they are, or keep some links, and why. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
  left_total: z.int(),
  /** Where to go on: the time was up before every note was seen to. */
  next: z.string().optional(),
  remarks: z.array(z.string()),
});

export type DiscoverAnswer = z.infer<typeof discoverOutput>;
