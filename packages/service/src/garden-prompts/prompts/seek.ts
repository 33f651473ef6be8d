import { requiredText, text } from '../../parameters/parameter.ts';
import { quoted } from '../asked.ts';
import type { PromptDescription } from '../contract.ts';
import { named } from '../named-call.ts';

const parameters = {
  what: requiredText('What is remembered of it: words, a thought, who was there.'),
  when: text('About when it was written, in any words.'),
} as const;

/** Finds one thing that is half remembered. */
export const seek: PromptDescription<typeof parameters> = {
  name: 'seek',
  title: 'Seek: find what is half remembered',
  description: 'Finds one note, or one line, that is only half remembered.',
  useWhen: 'Use when the person looks for one particular thing that they once wrote down.',
  parameters,
  completes: { what: 'name' },
  standIns: { what: 'WHAT' },
  facts: ['folders', 'journal'],
  proposes: false,
  goal: ({ what, when }) =>
    `Find the one thing in these notes that is remembered as ${quoted(what)}${when === null ? '' : `, from about ${quoted(when)}`}.`,
  steps: ({ what, when }) => [
    `Ask as it is remembered: ${named('query', { query: what })}. Then by meaning, and by a sentence as the note may have it: ${named(
      'query',
      {
        searches: [
          { type: 'vec', query: what },
          { type: 'hyde', query: 'A SENTENCE OF THE NOTE' },
        ],
      },
    )}.`,
    `If one word is sure, look for exactly that, in texts and in names: ${named('query', { searches: [{ type: 'text', query: 'WORD' }] })}, ${named('list_notes', { glob: '**/*WORD*.md' })}.`,
    `${when === null ? 'If the time is known' : `Turn ${quoted(when)} into dates, and look there`}: ${named('list_notes', { after: 'DATE', before: 'LATER DATE', limit: 50 })}, or among them only: ${named('query', { query: what, after: 'DATE', before: 'LATER DATE' })}.`,
    `Read the likeliest before you name it: ${named('get', { path: 'PATH', section: 'HEADING' })}. Stop at the first that is surely it.`,
    'Answer with the passage, its path, heading and line. If none is surely it, name at most three that could be, each with what speaks for it, and ask for one more detail.',
  ],
};
