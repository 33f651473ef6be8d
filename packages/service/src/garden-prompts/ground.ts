import type { TypeHabit, View } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { findFolder } from '../filters/folders.ts';
import { LINK_STYLES } from '../link-styles.ts';
import { typesInUse, typesInWords } from '../types-in-words.ts';
import { canWrite } from '../write-note/listed.ts';
import { listed, plain } from './asked.ts';
import type { Fact, Ground } from './contract.ts';
import { habitsOf } from './known-habits.ts';
import { named } from './named-call.ts';
import { newNoteOf } from './new-note.ts';

const LONGEST_FACT = 300;
const MOST_FOLDERS = 10;
const MOST_HABITS = 6;

/** What this caller's View and rights say. */
export function groundOf(scope: Scope): Ground {
  const { view, may } = scope;
  return {
    may: canWrite(scope) ? (may.write ? 'write' : 'add') : 'read',
    newNote: (type, folder) => newNoteOf(scope, type, folder),
    placeOf: (name) => {
      const found = view.resolve(name);
      if (found.kind === 'found' && !name.endsWith('/')) return { kind: 'note', path: found.row.path };
      const folder = findFolder(view, name);
      return folder === null || folder === '' ? null : { kind: 'folder', path: folder };
    },
  };
}

/** What there is to say about the vault, a sentence or two each; `''` where there is nothing. */
export const FACTS: Readonly<Record<Fact, (scope: Scope) => string>> = {
  links: ({ view }) =>
    `Links are written ${LINK_STYLES[view.dialect]}.${view.dialect === 'logseq' ? ' Text stands in bullets, properties as key:: value.' : ''}`,
  types: (scope) => {
    const rules = plain(typesInWords(scope, LONGEST_FACT));
    if (rules !== '') return `Types, their folders and required properties: ${rules}.`;
    const habits = typeHabits(scope.view);
    if (habits !== '') return `Types, where their notes lie, and what most of them have: ${habits}.`;
    const used = plain(typesInUse(scope.view));
    return used === '' ? 'Notes have no types here: give them none.' : `Types in use: ${used}.`;
  },
  folders: ({ view }) => {
    const tops = view.folders().filter(({ path }) => path !== '' && !path.includes('/'));
    if (tops.length === 0) return 'Notes lie at the top, without folders.';
    const most = [...tops].sort((a, b) => b.notes - a.notes).slice(0, MOST_FOLDERS);
    const names = most.map(({ path, notes }) => `${path}/ (${notes})`);
    return `Folders: ${listed(names, LONGEST_FACT)}${tops.length > MOST_FOLDERS ? ', and more' : ''}.`;
  },
  journal: ({ view }) => {
    const { journal } = habitsOf(view);
    if (journal === null) return '';
    const folder = journal.folder === '' ? '' : `${listed([journal.folder], 100)}/`;
    return `Notes of days: ${folder}${journal.format}.md; ${named('get', { path: 'today' })} is today's.`;
  },
};

function typeHabits(view: View): string {
  return listed(habitsOf(view).types.slice(0, MOST_HABITS).map(habitInWords), LONGEST_FACT);
}

function habitInWords({ name, folder, fields }: TypeHabit): string {
  const place = folder === null ? '' : ` in ${folder.path}/`;
  const have = fields
    .slice(0, MOST_HABITS)
    .map((field) => field.name)
    .join(', ');
  return `${name}${place}${have === '' ? '' : ` (${have})`}`;
}
