import { text } from '../../parameters/parameter.ts';
import { quoted } from '../asked.ts';
import type { PromptDescription } from '../contract.ts';
import { named, namedIfTaken } from '../named-call.ts';

const parameters = {
  folder: text('Only this folder, and what is below it.'),
} as const;

/** Looks over the whole vault, and tells what needs attention. */
export const garden: PromptDescription<typeof parameters> = {
  name: 'garden',
  title: 'Garden: look over the vault',
  description: 'Looks over the whole vault and tells the few things that need attention today.',
  useWhen: 'Use when the person asks how their notes are doing, or for a review of them.',
  parameters,
  completes: { folder: 'folder' },
  standIns: {},
  facts: ['folders', 'types', 'journal'],
  proposes: false,
  goal: ({ folder }) =>
    `Look over ${folder === null ? 'these notes' : `the folder ${quoted(folder)}`} and tell the few things that need attention today.`,
  steps: ({ folder }) => {
    const digest = namedIfTaken('vault_status', { mode: 'digest' });
    const graph = namedIfTaken('vault_status', { mode: 'graph' });
    const diagnostics = namedIfTaken('vault_status', { mode: 'diagnostics' });
    const tasks = namedIfTaken('list_notes', { of: 'tasks', folder });
    const notes = { folder, limit: 20 };
    return [
      `What it holds, and what cannot be read of it: ${named('vault_status', {})}.`,
      digest === null ? null : `How notes grow and wither: ${digest}.`,
      graph === null ? null : `What stands alone, and which notes are asked for and missing: ${graph}.`,
      diagnostics === null ? null : `What is wrong, with the call that mends it: ${diagnostics}.`,
      `What is new, and what was left for longest: ${named('list_notes', notes)}, ${named('list_notes', { ...notes, before: '180d', sort: '-modified' })}.`,
      tasks === null ? null : `What is open: ${tasks}.`,
      `Tags that say the same in two ways, and tags of one note: ${named('list_notes', { of: 'tags', folder, limit: 200 })}.`,
      `Read before you judge: ${named('multi_get', { paths: ['PATH', 'OTHER PATH'], format: 'summary' })}.`,
      'Tell three to five things that need attention, the most useful first: which note, why, and the one step that helps. Then what goes well, in one sentence. No list of everything.',
    ];
  },
};
