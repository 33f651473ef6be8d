import { z } from 'zod';
import { noteFactsShape } from '../answers/note-facts.ts';
import { errorShape } from '../errors/payload.ts';
import { LONGEST_LIST } from '../parameters/bounded-text.ts';
import { choice, type InputOf, prose, texts, whole } from '../parameters/parameter.ts';

/** Notes that one call may name. */
export const MOST_NOTES = 50;

export const multiGetParameters = {
  paths: texts(
    { commas: false, max: 500, required: true, longest: LONGEST_LIST },
    'Paths or names, a comma list, or a glob such as Daily/2026-*.md.',
    {
      guesses: ['path', 'files', 'notes', 'names', 'pattern', 'glob', 'ids'],
    },
  ),
  format: choice(['full', 'summary', 'map'], 'summary: properties and first lines; map: headings.', {
    guesses: ['mode', 'view', 'output'],
  }),
  max_chars: whole({ min: 500, max: 1_000_000, absent: null }, 'Most characters of text, up to 20,000.', {
    guesses: ['max_length', 'max_tokens', 'budget', 'limit'],
  }),
  cursor: prose('From the answer before.', { guesses: ['offset', 'page', 'next'] }),
} as const;

export type MultiGetInput = InputOf<typeof multiGetParameters>;

const headingShape = z.object({ level: z.int(), text: z.string(), line: z.int() });

const noteShape = z.object({
  /** As it was asked for, where that is not the path. */
  asked: z.string().optional(),
  ...noteFactsShape,
  type: z.string().optional(),
  frontmatter: z.record(z.string(), z.unknown()).optional(),
  frontmatter_error: z.object({ message: z.string(), line: z.int() }).optional(),
  content: z.string().optional(),
  /** Line of the file on which `content` starts. */
  line: z.int().optional(),
  summary: z.string().optional(),
  outline: z.array(headingShape).optional(),
  source_hash: z.string().optional(),
  content_hash: z.string().optional(),
  size: z.int(),
  modified: z.string(),
  /** True when the note alone is longer than an answer: read it with get. */
  too_large: z.boolean().optional(),
});

const failureShape = z.object({ asked: z.string(), error: errorShape });

const restShape = z.object({ path: z.string(), size: z.int() });

export const multiGetOutput = z.object({
  notes: z.array(noteShape),
  errors: z.array(failureShape),
  /** Notes that had no room, with their bytes; the cursor goes on with them. */
  rest: z.array(restShape),
  /** Notes that were named in all. */
  total: z.int(),
  remarks: z.array(z.string()),
  cursor: z.string().optional(),
});

export type MultiGetAnswer = z.infer<typeof multiGetOutput>;
export type ManyNote = z.infer<typeof noteShape>;
export type Failure = z.infer<typeof failureShape>;
