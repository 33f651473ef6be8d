import { clip } from '../../answers/note-facts.ts';
import { SKIP_REASONS } from '../health.ts';
import { diagnosis } from './diagnosis.ts';

/**
 * Files that are no notes, for the owner alone: no call of write_note can change one. A folder that a tool keeps for
 * itself is no fault.
 */
export const skippedFileDiagnosis = diagnosis('skipped_files', {
  find: ({ view, vault, mayName }) =>
    view.isOwner
      ? vault.health().skipped.filter(({ path, reason }) => mayName(path) && reason !== 'ignored')
      : [],
  paths: ({ path }) => [path],
  tell: (_, { path, reason }) => ({ path: clip(path, 500), why: `is skipped: ${SKIP_REASONS[reason]}` }),
});
