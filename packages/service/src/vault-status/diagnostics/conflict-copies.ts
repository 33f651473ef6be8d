import { conflictCopies } from '@grove/graph';
import { diagnosis } from './diagnosis.ts';
import { callFor, deletion } from './mending-call.ts';
import { ownLines } from './own-lines.ts';

/** Copies that sync tools left beside notes, for the owner alone: no View shows them. */
export const conflictCopyDiagnosis = diagnosis('conflict_copies', {
  find: ({ view }) => conflictCopies(view),
  paths: ({ copy, of }) => [copy.path, ...(of === null ? [] : [of.path])],
  tell: async (scope, { copy, of, pulled }) => {
    const what =
      pulled === null
        ? 'a copy that a sync tool left'
        : `the version of ${pulled.remote} that a pull saved on ${pulled.day}; its owner settles it with grove conflicts`;
    if (of === null)
      return {
        path: copy.path,
        why: `${what}, and the note that it is a copy of is gone: grove conflicts settle brings it back with --keep theirs`,
      };
    return {
      path: copy.path,
      why: `${what}; ${await ownLines(scope.view, of, copy)}`,
      others: [of.path],
      ...callFor(scope, [deletion(scope, copy)]),
    };
  },
});
