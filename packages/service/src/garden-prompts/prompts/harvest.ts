import { requiredText, text } from '../../parameters/parameter.ts';
import { asList, quoted } from '../asked.ts';
import type { PromptDescription } from '../contract.ts';
import { named } from '../named-call.ts';

const parameters = {
  topic: requiredText('What the text is to be about.'),
  form: text('summary, outline, draft, or any other form.'),
  folder: text('Only from notes in this folder, or below.'),
  tag: text('Only from notes with this tag.'),
} as const;

/** Turns several notes into one text, cited. */
export const harvest: PromptDescription<typeof parameters> = {
  name: 'harvest',
  title: 'Harvest: make a text of several notes',
  description: 'Turns several notes into a summary, an outline or a draft, each statement with its note.',
  useWhen: 'Use when the person wants a text made out of their notes.',
  parameters,
  completes: { topic: 'name', form: 'form', folder: 'folder', tag: 'tag' },
  standIns: { topic: 'TOPIC' },
  facts: ['links', 'types', 'folders'],
  proposes: true,
  goal: ({ topic, form }) =>
    `Make ${form === null ? 'a text (ask which form: summary, outline or draft)' : `this: ${quoted(form)}`} about ${quoted(topic)} out of these notes.`,
  steps: ({ topic, folder, tag }, { may, newNote }) => {
    const filters = { folders: asList(folder), tags: asList(tag) };
    const isNarrow = folder !== null || tag !== null;
    return [
      `Find the notes: ${named('query', { query: topic, limit: 20, ...filters })}${isNarrow ? `, or all of them: ${named('list_notes', { ...filters, sort: 'created' })}` : ''}. Name the ones that you will use, and let the person add or drop some.`,
      `Read them: ${named('multi_get', { paths: ['PATH', 'OTHER PATH'] })}; with a cursor go on.`,
      'Order what they say by thought, not by note. Write in the voice of the notes. After each statement stands a link to the note and the heading that it comes from.',
      'Say what the notes leave open, and mark what is yours; invent no source.',
      may === 'read'
        ? null
        : `If the text is to be kept, see what would be written: ${named('write_note', { path: newNote(null, null).path, content: 'TEXT', create_only: true, dry_run: true })}. The notes that it comes from stay as they are.`,
    ];
  },
};
