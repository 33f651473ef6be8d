import { requiredText, text } from '../../parameters/parameter.ts';
import { asList, quoted } from '../asked.ts';
import type { PromptDescription } from '../contract.ts';
import { named } from '../named-call.ts';

const parameters = {
  topic: requiredText('What to gather about: a subject, a name or a question.'),
  folder: text('Only in this folder, or below.'),
  tag: text('Only notes with this tag.'),
} as const;

/** Gathers what the vault holds on a topic, with sources. */
export const forage: PromptDescription<typeof parameters> = {
  name: 'forage',
  title: 'Forage: gather what the notes say',
  description: 'Gathers what the notes hold on a topic, with sources.',
  useWhen: 'Use when the person asks what their notes say about something.',
  parameters,
  completes: { topic: 'name', folder: 'folder', tag: 'tag' },
  standIns: { topic: 'TOPIC' },
  facts: ['folders', 'journal'],
  proposes: false,
  goal: ({ topic }) => `Gather what these notes hold on ${quoted(topic)}, with sources.`,
  steps: ({ topic, folder, tag }) => {
    const filters = { folders: asList(folder), tags: asList(tag) };
    return [
      `Search: ${named('query', { query: topic, return: 'passages', limit: 12, ...filters })}. Search again with other words that notes may use for it: ${named('query', { query: 'OTHER WORDS', ...filters })}.`,
      `Go on from the best note, to what is near it and what links to it: ${named('query', { searches: [{ type: 'like', query: 'PATH' }] })}, ${named('get', { path: 'PATH', format: 'map', include: ['links', 'backlinks'] })}.`,
      `Read before you say what a note says: ${named('multi_get', { paths: ['PATH', 'OTHER PATH'] })}, or of a long note one section: ${named('get', { path: 'PATH', section: 'HEADING' })}.`,
      'Answer in this order: what is known; where notes contradict each other, with the dates of both; what is still open. After each statement stands its source: path, heading, line.',
      'Keep what you know yourself apart from what the notes say. If little was found, say so, and which searches found nothing.',
    ];
  },
};
