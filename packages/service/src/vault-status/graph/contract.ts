import { z } from 'zod';
import { noteFactsShape } from '../../answers/note-facts.ts';

const linkedNoteShape = {
  ...noteFactsShape,
  /** Notes that it links to, and notes that link to it. */
  links: z.int(),
  backlinks: z.int(),
};

const neighbourShape = z.object({
  ...linkedNoteShape,
  /** Links between it and the note that was asked for, followed either way. */
  distance: z.int(),
  /** The note one step nearer. */
  via: z.string(),
  /** `to`: that note links to it; `from`: it links to that note. */
  way: z.enum(['to', 'from', 'both']),
});

const stepShape = z.object({
  ...noteFactsShape,
  /** The link from the note before: `to` it, `from` it, or both. Absent for the first. */
  way: z.enum(['to', 'from', 'both']).optional(),
});

const bridgesShape = z.object({
  /** `measuring`: not known yet; the same call knows them in a moment. */
  state: z.enum(['exact', 'sampled', 'measuring']),
  /** Notes from which ways were counted, of a sample. */
  sample: z.int().optional(),
  notes: z.array(
    z.object({
      ...noteFactsShape,
      /** Betweenness: the part of all pairs of other notes whose shortest way leads through it, 0 to 1. */
      share: z.number(),
      /** Of a sample: the true share lies this near, at 95 %. */
      error: z.number().optional(),
    }),
  ),
  total: z.int(),
});

/** Of the whole: up to `unresolved_total`. Of one note or two: the rest, as far as it was asked for. */
export const graphOutput = z.object({
  mode: z.literal('graph'),
  vault: z.string(),
  remarks: z.array(z.string()),
  notes: z.int(),
  links: z.int(),
  /** Links that are there of all that there could be, 0 to 1. */
  density: z.number(),
  most_connected: z.array(z.object(linkedNoteShape)).optional(),
  orphans: z.array(z.string()).optional(),
  orphans_total: z.int().optional(),
  /** Groups of two notes or more that hang together, the largest first, each with some of its notes. */
  components: z.array(z.object({ notes: z.int(), examples: z.array(z.string()) })).optional(),
  components_total: z.int().optional(),
  bridges: bridgesShape.optional(),
  /** What links ask for and no note answers, with some of the asking notes. */
  unresolved: z
    .array(z.object({ target: z.string(), asked_by: z.int(), examples: z.array(z.string()) }))
    .optional(),
  unresolved_total: z.int().optional(),
  center: z.object(linkedNoteShape).optional(),
  neighbours: z.array(neighbourShape).optional(),
  neighbours_total: z.int().optional(),
  /** A shortest way by links followed either way, both ends included; null where there is none. */
  route: z.array(stepShape).nullable().optional(),
  /** Notes of the whole way: a very long one is cut. */
  route_total: z.int().optional(),
});

export type GraphAnswer = z.infer<typeof graphOutput>;
