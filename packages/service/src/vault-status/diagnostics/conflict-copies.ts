import { conflictCopies } from '@grove/graph';
import { diagnosis } from './diagnosis.ts';
import { callFor, deletion } from './mending-call.ts';
import { ownLines } from './own-lines.ts';

/** Copies that sync tools left beside notes, for the owner alone: no View shows them. */
export const conflictCopyDiagnosis = diagnosis('conflict_copies', {
  find: ({ view }) => conflictCopies(view),
  paths: ({ copy, of }) => [copy.path, ...(of === null ? [] : [of.path])],
  tell: async (scope, { copy, of }) => {
    if (of === null)
      return {
        path: copy.path,
        why: 'a copy that a sync tool left, and the note that it is a copy of is gone: rename the file to keep it',
      };
    return {
      path: copy.path,
      why: `a copy that a sync tool left; ${await ownLines(scope.view, of, copy)}`,
      others: [of.path],
      ...callFor(scope, [deletion(scope, copy)]),
    };
  },
});
