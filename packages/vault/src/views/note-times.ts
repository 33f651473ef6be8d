import type { CatalogRow } from '../catalog/catalog-row.ts';
import type { ClaimedMoments } from '../catalog/claimed-times.ts';
import type { NoteTimes } from '../note-row.ts';
import type { GitTimes } from '../times.ts';

/** Where times come from. */
export interface TimeSources {
  readonly git: GitTimes;
  readonly claims: ClaimedMoments;
  /** The vault's zone, in which a claim without offset is meant. */
  readonly zone: string;
}

/**
 * When a note was made and changed, in milliseconds since the epoch: by git where history knows the path,
 * else by the frontmatter, else by the file. A note whose bytes are not those of HEAD was changed after its
 * last commit, so the file tells when.
 */
export function noteTimes(row: CatalogRow, { git, claims, zone }: TimeSources): NoteTimes {
  const known = git.times(row.diskPath) ?? (row.path === row.diskPath ? null : git.times(row.path));
  if (known !== null) {
    const isCommitted = known.blob === row.blob;
    return {
      created: known.created,
      modified: isCommitted ? known.modified : Math.max(known.modified, row.file.modified),
    };
  }
  return {
    created: claims.at(row.claimed.created, zone) ?? row.file.created,
    modified: claims.at(row.claimed.modified, zone) ?? row.file.modified,
  };
}
