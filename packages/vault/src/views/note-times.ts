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
 * last commit, so the file tells when. Of a note that git only found, and which was not changed since, git knows no
 * more than the file: there the frontmatter comes first.
 */
export function noteTimes(row: CatalogRow, { git, claims, zone }: TimeSources): NoteTimes {
  const known = git.times(row.diskPath) ?? (row.path === row.diskPath ? null : git.times(row.path));
  if (known !== null) {
    const isCommitted = known.blob === row.blob;
    const modified = isCommitted ? known.modified : Math.max(known.modified, row.file.modified);
    if (!known.found) return { created: known.created, modified };
    const isAsFound = isCommitted && known.modified === known.created;
    const made = claims.at(row.claimed.created, zone) ?? row.file.created;
    return {
      created: Math.min(known.created, made),
      modified: isAsFound ? (claims.at(row.claimed.modified, zone) ?? modified) : modified,
    };
  }
  return {
    created: claims.at(row.claimed.created, zone) ?? row.file.created,
    modified: claims.at(row.claimed.modified, zone) ?? row.file.modified,
  };
}
