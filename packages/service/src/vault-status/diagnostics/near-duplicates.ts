import { sharing } from '@grove/graph';
import type { NoteRow, View } from '@grove/vault';
import { noteFacts } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { diagnosis } from './diagnosis.ts';
import { callFor, deletion } from './mending-call.ts';
import { ownLines } from './own-lines.ts';

/** How long an answer waits for what is compared, in milliseconds. A command has no later call that would find it. */
const PATIENCE = 200;
const COMMAND_PATIENCE = 60_000;

/** A note that could go, and the one that says the same. */
interface Twins {
  readonly row: NoteRow;
  readonly of: NoteRow;
  /** 1 for notes of equal bytes. */
  readonly likeness: number;
}

/** Notes of equal text, and where a model is set up those that mean nearly the same: the less linked one could go. */
export const nearDuplicateDiagnosis = diagnosis('near_duplicates', {
  find: async (scope) => {
    const equal = equalNotes(scope.view);
    // What is alike to a copy is alike to the note itself.
    const copies = new Set(equal.map(({ row }) => row.id));
    const alike = (await alikeNotes(scope)).filter(
      ({ row, of }) => !copies.has(row.id) && !copies.has(of.id),
    );
    return [...equal, ...alike];
  },
  paths: ({ row, of }: Twins) => [row.path, of.path],
  tell: async (scope, { row, of, likeness }) => {
    const isEqual = likeness === 1;
    const same = isEqual
      ? `is equal to ${of.path}`
      : `means nearly the same as ${of.path} (likeness ${likeness.toFixed(2)}); ${await ownLines(scope.view, of, row)}`;
    const linking = scope.view.sourceIds(row).length;
    return {
      ...noteFacts(scope, row),
      why: linking === 0 ? same : `${same}. Links to it: ${linking}`,
      others: [of.path],
      ...callFor(scope, [deletion(scope, row)]),
    };
  },
});

/** What an answer says of notes that mean the same, where it does not hold all that there are. */
export async function likenessRemarks(scope: Scope): Promise<string[]> {
  const alike = await scope.search.alikeNotes(scope.view, 0);
  if (alike === null)
    return ['No embedding model is set up: of notes that say the same only those of equal text are found.'];
  return alike.isWhole
    ? []
    : ['Notes are still being compared by meaning: the same call finds more in a moment.'];
}

function equalNotes(view: View): Twins[] {
  const written = view.notes().filter(({ words }) => words > 0);
  return sharing(written, ({ contentHash }) => contentHash).flatMap((rows) => {
    const [of, ...others] = rows.sort((a, b) => byKeeping(view, a, b));
    return of === undefined ? [] : others.map((row) => ({ row, of, likeness: 1 }));
  });
}

async function alikeNotes(scope: Scope): Promise<Twins[]> {
  const { view, principal } = scope;
  const patience = principal.kind === 'owner' ? COMMAND_PATIENCE : PATIENCE;
  const { pairs } = (await scope.search.alikeNotes(view, patience)) ?? { pairs: [] };
  return pairs
    .map(({ a, b, likeness }) => {
      const [of, row] = byKeeping(view, a, b) < 0 ? [a, b] : [b, a];
      // Rounding must not make of two notes one.
      return { row, of, likeness: Math.min(likeness, 0.999) };
    })
    .sort((a, b) => b.likeness - a.likeness || (a.row.path < b.row.path ? -1 : 1));
}

/** The note to keep first: the one more notes link to, then the longer, then the first by path. */
function byKeeping(view: View, a: NoteRow, b: NoteRow): number {
  return (
    view.sourceIds(b).length - view.sourceIds(a).length || b.words - a.words || (a.path < b.path ? -1 : 1)
  );
}
