import { type ConflictCopy, conflictCopies } from '@grove/graph';
import { clip, oneLine } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { readIfThere } from '../../notes/read.ts';
import { diagnosis } from './diagnosis.ts';
import { callFor, deletion } from './mending-call.ts';

/** Lines that are shown of those that only the copy has. */
const SHOWN = 3;

/** Copies that sync tools left beside notes, for the owner alone: no View shows them. */
export const conflictCopyDiagnosis = diagnosis('conflict_copies', {
  find: ({ view }) => conflictCopies(view),
  paths: ({ copy, of }) => [copy.path, ...(of === null ? [] : [of.path])],
  tell: async (scope, fault) => {
    const { copy, of } = fault;
    if (of === null)
      return {
        path: copy.path,
        why: 'a copy that a sync tool left, and the note that it is a copy of is gone: rename the file to keep it',
      };
    const lines = await ownLines(scope, fault);
    const shown = lines
      .slice(0, SHOWN)
      .map((line) => `"${clip(oneLine(line), 80)}"`)
      .join(', ');
    const why =
      lines.length === 0
        ? `a copy that a sync tool left; every line of it stands in ${of.path}`
        : `a copy that a sync tool left; lines that ${of.path} lacks: ${lines.length}, such as ${shown}. Take over what is wanted of them, then let the copy go`;
    return { path: copy.path, why, others: [of.path], ...callFor(scope, [deletion(scope, copy)]) };
  },
});

async function ownLines({ view }: Scope, { copy, of }: ConflictCopy): Promise<readonly string[]> {
  const [ours, theirs] = await Promise.all([of, copy].map((row) => row && readIfThere(view, row)));
  const known = new Set(ours?.note.text.split(/\r?\n/).map((line) => line.trim()));
  return (theirs?.note.text.split(/\r?\n/) ?? []).filter((line) => !known.has(line.trim()));
}
