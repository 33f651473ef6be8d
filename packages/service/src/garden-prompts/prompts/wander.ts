import { text } from '../../parameters/parameter.ts';
import { quoted } from '../asked.ts';
import type { PromptDescription } from '../contract.ts';
import { named, namedIfTaken } from '../named-call.ts';

const parameters = {
  from: text('The note to start from; without it, one that was not touched for long.'),
} as const;

/** Walks from a note over links to what is surprising. */
export const wander: PromptDescription<typeof parameters> = {
  name: 'wander',
  title: 'Wander: walk from note to note',
  description: 'Walks from a note over links and likeness to what has been forgotten.',
  useWhen: 'Use when the person wants to browse, be surprised, or find what is connected.',
  parameters,
  completes: { from: 'note' },
  standIns: {},
  facts: ['links', 'journal'],
  proposes: false,
  goal: ({ from }) =>
    from === null
      ? 'Walk through these notes from one that has been forgotten, and tell of the walk.'
      : `Walk through these notes from ${quoted(from)}, and tell of the walk.`,
  steps: ({ from }, { placeOf }) => {
    const place = from === null ? null : placeOf(from);
    const here = place?.kind === 'folder' ? 'PATH' : (place?.path ?? from ?? 'PATH');
    const around = namedIfTaken('vault_status', { mode: 'graph', path: here, depth: 2 });
    return [
      from === null || place?.kind === 'folder'
        ? `Start where nobody was for long: ${named('list_notes', { folder: place?.path ?? null, sort: '-modified', limit: 20 })}; take one that promises something.`
        : null,
      `Read where you are: ${named('get', { path: here, include: ['links', 'backlinks'] })}.${around === null ? '' : ` See what lies around it: ${around}.`}`,
      `Find what is like it and not linked: ${named('query', { searches: [{ type: 'like', query: here }] })}.`,
      'Go on to the note that is the least expected: over a link, a backlink, or likeness alone. Four to six stops; never twice to one note; prefer old notes, and other folders.',
      'Tell of each stop: its path, one sentence quoted from it, and why the next one follows.',
      'End with what surprised you, one question that the walk raises, and two notes that could be linked and are not.',
    ];
  },
};
