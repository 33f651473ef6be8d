import { z } from 'zod';
import { flag, type InputOf, text } from '../parameters/parameter.ts';

export const approveParameters = {
  id: text('Which of them to decide; all that wait are listed when it is left out.', {
    guesses: ['question'],
  }),
  deny: flag(false, 'Say no to it.', { guesses: ['no', 'decline', 'refuse'] }),
} as const;

export type ApproveInput = InputOf<typeof approveParameters>;

const waitingShape = z.object({
  id: z.string(),
  /** Who asks, as kind:id. */
  principal: z.string(),
  name: z.string(),
  /** The program that it came with, as that calls itself. */
  client: z.string().optional(),
  notes: z.array(z.string()),
  asked: z.string(),
});

export const approveOutput = z.object({
  /** What waits for a yes, the oldest first. */
  waiting: z.array(waitingShape),
  approved: z.string().optional(),
  denied: z.string().optional(),
});

export type ApproveAnswer = z.infer<typeof approveOutput>;
export type WaitingAnswer = z.infer<typeof waitingShape>;
