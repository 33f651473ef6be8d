import { z } from 'zod';
import { noteFactsShape } from '../answers/note-facts.ts';
import { filterParameters } from '../filters/parameters.ts';
import { choice, flag, type InputOf, objects, prose, text, whole } from '../parameters/parameter.ts';
import { asText } from '../parameters/widen.ts';

const searchTypes = ['lex', 'vec', 'hyde', 'text', 'regex', 'like'] as const;

const searchShape = z.strictObject({
  type: z.preprocess(
    (word) => (typeof word === 'string' ? word.trim().toLowerCase() : word),
    z.enum(searchTypes),
  ),
  query: z.preprocess(asText, z.string().min(1)),
});

export const queryParameters = {
  query: prose('Words, "phrases", -not, prefix*, title: tag: path: heading:, or a question.', {
    guesses: ['q', 'search', 'text', 'keywords', 'term', 'terms', 'question', 'prompt'],
  }),
  searches: objects(
    searchShape,
    { max: 8, expects: `objects {type: ${searchTypes.join('|')}, query}` },
    'Several searches, fused. text: every word as substring; regex: Rust syntax; like: notes like this one.',
  ),
  intent: prose('What you are after; steers snippets.', { guesses: ['context', 'goal', 'purpose'] }),
  ...filterParameters,
  return: choice(['hits', 'passages'], 'passages: the best parts of the notes as text.', {
    guesses: ['format', 'mode', 'output'],
  }),
  limit: whole({ min: 1, max: 50, absent: 8 }, 'Notes in one answer, 1 to 50.', {
    guesses: ['n', 'k', 'top_k', 'max', 'count', 'max_results', 'num_results', 'page_size'],
  }),
  max_chars: whole({ min: 500, max: 1_000_000, absent: null }, 'Most characters of text, up to 20,000.', {
    guesses: ['max_length', 'max_tokens', 'budget'],
  }),
  cursor: prose('From the answer before.', { guesses: ['offset', 'page', 'next', 'after_cursor'] }),
  explain: flag(false, 'Add scores and which search found it.', { guesses: ['debug', 'scores'] }),
  why: text('A path: why did that note not come up?'),
} as const;

export type QueryInput = InputOf<typeof queryParameters>;

const findingShape = z.object({
  type: z.enum(searchTypes),
  query: z.string(),
  rank: z.int(),
  score: z.number(),
});

const lineShape = z.object({ line: z.int(), text: z.string() });

const hitShape = z.object({
  ...noteFactsShape,
  /** Address of the heading above the line: what `section` of get takes. */
  heading: z.string().optional(),
  /** 1-based line of the file. */
  line: z.int().optional(),
  /** At most 240 characters, in one line. */
  snippet: z.string().optional(),
  /** For text and regex: the first ten lines that match. */
  lines: z.array(lineShape).optional(),
  line_count: z.int().optional(),
  modified: z.string(),
  score: z.number().optional(),
  exact: z.boolean().optional(),
  found: z.array(findingShape).optional(),
});

const passageShape = z.object({
  ...noteFactsShape,
  heading: z.string().optional(),
  line: z.int(),
  text: z.string(),
  /** True when the part goes on beyond what is shown. */
  cut: z.boolean().optional(),
  modified: z.string(),
});

const whyShape = z.object({
  path: z.string(),
  reason: z.string(),
  rank: z.int().optional(),
});

export const queryOutput = z.object({
  /** Notes that match in all, where that is known. */
  total: z.int().optional(),
  hits: z.array(hitShape).optional(),
  passages: z.array(passageShape).optional(),
  why: whyShape.optional(),
  suggestions: z.array(z.string()),
  remarks: z.array(z.string()),
  cursor: z.string().optional(),
});

export type QueryAnswer = z.infer<typeof queryOutput>;
export type Hit = z.infer<typeof hitShape>;
export type Passage = z.infer<typeof passageShape>;
export type Why = z.infer<typeof whyShape>;
