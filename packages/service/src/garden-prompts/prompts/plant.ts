import { requiredText, text } from '../../parameters/parameter.ts';
import { quoted } from '../asked.ts';
import type { PromptDescription } from '../contract.ts';
import { named } from '../named-call.ts';

const parameters = {
  idea: requiredText('What the note is to say, or be about.'),
  type: text('The type of the note.'),
  folder: text('The folder that it goes to.'),
} as const;

/** Writes a new note well. */
export const plant: PromptDescription<typeof parameters> = {
  name: 'plant',
  title: 'Plant: write a new note well',
  description:
    'Writes a new note well: looks for what is there first, then type, folder, properties and links.',
  useWhen: 'Use when the person wants something new written down in their notes.',
  parameters,
  completes: { type: 'type', folder: 'folder' },
  standIns: { idea: 'IDEA' },
  facts: ['links', 'types', 'folders', 'journal'],
  proposes: true,
  goal: ({ idea, type }) =>
    `Make a new note${type === null ? '' : ` of type ${quoted(type)}`} of this: ${quoted(idea)}.`,
  steps: ({ idea, type, folder }, { may, newNote }) => {
    const { path, frontmatter, example } = newNote(type, folder);
    return [
      `See what is there already: ${named('query', { query: idea })}, and read what is close: ${named('get', { path: 'PATH', format: 'map' })}. If a note is about the same, propose to add to it instead.`,
      type === null
        ? `Choose type and folder as the vault has them: ${named('list_notes', { of: 'types' })}, ${named('list_notes', { of: 'folders' })}; without a type that fits, none.`
        : null,
      example === null
        ? `Look at a note of the kind, and follow it: ${named('list_notes', { types: type === null ? ['TYPE'] : [type], limit: 5 })}, ${named('get', { path: 'PATH', format: 'raw' })}.`
        : `Follow this example: ${named('get', { path: example, format: 'raw' })}.`,
      'Name it as others there are named. Say one thing, in the words of the person; mark what you add yourself. Link only to notes that you found.',
      may === 'read'
        ? null
        : `See what would be written: ${named('write_note', { path, frontmatter, content: 'TEXT', create_only: true, dry_run: true })}; leave "frontmatter" out where notes have none. Or, where a note is to grow: ${named('write_note', { action: 'append', path: 'PATH', section: 'HEADING', content: 'TEXT', dry_run: true })}.`,
    ];
  },
};
