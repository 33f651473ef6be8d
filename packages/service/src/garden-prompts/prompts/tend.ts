import { requiredText } from '../../parameters/parameter.ts';
import { quoted } from '../asked.ts';
import type { Ground, PromptDescription } from '../contract.ts';
import { named, namedIfTaken } from '../named-call.ts';

const parameters = {
  target: requiredText('The note to mend, or a folder of them.'),
} as const;

/** Mends one note, or the notes of a folder. */
export const tend: PromptDescription<typeof parameters> = {
  name: 'tend',
  title: 'Tend: mend a note or a folder',
  description: 'Mends one note or one folder: links, tags, properties, what is out of date.',
  useWhen: 'Use when the person wants notes tidied, linked, tagged or brought up to date.',
  parameters,
  completes: { target: 'place' },
  standIns: { target: 'PATH' },
  facts: ['links', 'types'],
  proposes: true,
  goal: ({ target }) => `Mend ${quoted(target)}: links, tags, properties, and what is out of date.`,
  steps: ({ target }, ground) => {
    const place = ground.placeOf(target);
    const path = place?.kind === 'folder' ? 'PATH' : (place?.path ?? target);
    const diagnostics = namedIfTaken('vault_status', { mode: 'diagnostics' });
    return [
      place?.kind === 'folder'
        ? `See what lies there, the oldest first, and take at most five notes: ${named('list_notes', { folder: place.path, sort: '-modified', fields: ['type', 'tags'] })}.`
        : null,
      `Read it: ${named('get', { path, include: ['links', 'backlinks'] })}.${place === null ? ` If it is a folder: ${named('list_notes', { folder: target, sort: '-modified' })}.` : ''}`,
      diagnostics === null ? null : `See what is known to be wrong: ${diagnostics}.`,
      `Links that lead nowhere: find the note that was meant with ${named('query', { query: 'WORDS OF THE LINK' })}. Links that are missing: ${named('query', { searches: [{ type: 'like', query: path }] })}.`,
      `Tags: use those that others use, ${named('list_notes', { of: 'tags' })}. Properties: those that its type asks for. Then: tasks long done, dates gone by, headings without text.`,
      'Propose each change as one line: what, where, why. Leave the words of the person as they are.',
      mending(path, ground),
    ];
  },
};

/** The smallest calls that change a note, as far as the caller may. */
function mending(path: string, { may }: Ground): string | null {
  if (may === 'read') return null;
  if (may === 'add')
    return `See what would be added: ${named('write_note', { action: 'append', path, section: 'HEADING', content: 'TEXT', dry_run: true })}.`;
  const change = { path, if_hash: 'SOURCE_HASH', dry_run: true };
  return `See what would change, by the smallest call: ${[
    named('write_note', { action: 'edit', ...change, edits: [{ find: 'OLD', replace: 'NEW' }] }),
    named('write_note', { action: 'tags', ...change, add: ['TAG'] }),
    named('write_note', { action: 'frontmatter', ...change, set: { KEY: 'VALUE' } }),
  ].join(', ')}.`;
}
