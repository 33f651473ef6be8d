import type { CatalogueEntry } from './entry.ts';

/** Errors of backups, and of bringing them back. */
export const BACKING_UP = {
  backup_failed: {
    status: 500,
    message: 'No backup was made: {reason}.',
    hint: 'Mend that and run it again; a backup that was there before is as it was.',
  },
  backup_unreadable: {
    status: 422,
    message: 'The backup cannot be used: {reason}.',
    hint: 'Nothing was changed. Take another copy of it, or an older backup.',
  },
  restore_refused: {
    status: 409,
    message: 'Nothing was restored: {reason}.',
    hint: 'Mend that and run it again; the data folder is as it was.',
  },
} as const satisfies Record<string, CatalogueEntry>;
