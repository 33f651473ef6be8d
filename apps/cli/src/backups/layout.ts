import * as z from 'zod';

/** Raised when an older Grove could not read what a newer one writes. */
export const FORMAT = 1;
/** First in every backup. */
export const HEADER_FILE = 'grove-backup.json';
/** Last in every backup: without it, the end is missing. */
export const MANIFEST_FILE = 'manifest.json';
/** What the names of the data folder's files begin with. */
export const DATA = 'data/';

/** Says what the file is, before anything is unpacked. */
export const BACKUP_HEADER = z.object({
  format: z.number().int(),
  /** Version of the Grove that made it. */
  grove: z.string(),
  /** ISO 8601. */
  made: z.string(),
});
export type BackupHeader = z.infer<typeof BACKUP_HEADER>;

export const MANIFEST = z.object({
  files: z.array(
    z.object({
      /** Relative to the data folder, with `/`. */
      path: z.string(),
      size: z.number().int().nonnegative(),
      sha256: z.string().length(64),
    }),
  ),
});
export type ManifestFile = z.infer<typeof MANIFEST>['files'][number];

/** True for what SQLite writes to, by its path in the data folder. */
export function isDatabase(path: string): boolean {
  return /^(?:vaults\/[^/]+\/)?[^/]+\.db$/.test(path);
}

export function isLedger(path: string): boolean {
  return /^vaults\/[^/]+\/ledger\.db$/.test(path);
}
