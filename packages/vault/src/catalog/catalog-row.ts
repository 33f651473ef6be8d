import type { NoteRow } from '../note-row.ts';

/**
 * A row with what only the catalog and Views use. Beside the contract it holds what times are derived from
 * and when the bytes were read, so that a sweep knows which files were too fresh to trust their stat key.
 */
export interface CatalogRow extends NoteRow {
  /** Times that the frontmatter claims, as written: what they mean depends on the vault's zone. */
  readonly claimed: { readonly created: string | null; readonly modified: string | null };
  /** Times of the file, milliseconds since the epoch. */
  readonly file: { readonly created: number; readonly modified: number };
  /** When the bytes were read, milliseconds since the epoch. */
  readonly readAt: number;
  /** Block ids that another note can link to without naming this one (Logseq `((id))`). */
  readonly blockIds: readonly string[];
}

/** A file written less than this before it was read may change again under the same stat key. */
const RACY_MS = 2_000;

/** True when the row's stat key cannot be trusted yet. */
export function isRacy(row: CatalogRow): boolean {
  return row.readAt - row.file.modified < RACY_MS;
}

/** A change of one row; `before` null: it is new, `after` null: it is gone. */
export interface RowChange {
  readonly before: CatalogRow | null;
  readonly after: CatalogRow | null;
}
