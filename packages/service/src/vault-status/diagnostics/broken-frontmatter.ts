import { unreadableProperties } from '@grove/graph';
import { clip, noteFacts } from '../../answers/note-facts.ts';
import { readIfThere } from '../../notes/read.ts';
import { diagnosis, pathOf } from './diagnosis.ts';
import { mendFrontmatter } from './mend-frontmatter.ts';
import { callFor } from './mending-call.ts';

/** Notes whose properties cannot be read. */
export const brokenFrontmatterDiagnosis = diagnosis('broken_frontmatter', {
  find: ({ view }) => unreadableProperties(view),
  paths: pathOf,
  tell: async (scope, row) => {
    const note = (await readIfThere(scope.view, row))?.note ?? null;
    const error = note?.frontmatter.error ?? null;
    const reason = error === null ? '' : ` (line ${error.line}: ${clip(error.message, 200)})`;
    const edits = note === null ? null : mendFrontmatter(note, row.path);
    return {
      ...noteFacts(scope, row),
      why: `its properties cannot be read${reason}`,
      ...callFor(scope, edits === null ? [] : [{ action: 'edit', path: row.path, edits }]),
    };
  },
});
