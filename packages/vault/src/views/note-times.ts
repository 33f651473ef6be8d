import type { CatalogRow } from '../catalog/catalog-row.ts';
import type { NoteTimes } from '../note-row.ts';
import type { GitTimes } from '../times.ts';

/**
 * When a note was made and changed, in milliseconds since the epoch: by git where history knows the path,
 * else by the frontmatter, else by the file. A note whose bytes are not those of HEAD was changed after its
 * last commit, so the file tells when.
 */
export function noteTimes(row: CatalogRow, git: GitTimes): NoteTimes {
  const known = git.times(row.diskPath) ?? (row.path === row.diskPath ? null : git.times(row.path));
  if (known !== null) {
    const isCommitted = known.blob === row.blob;
    return {
      created: known.created,
      modified: isCommitted ? known.modified : Math.max(known.modified, row.file.modified),
    };
  }
  return {
    created: row.claimed.created ?? row.file.created,
    modified: row.claimed.modified ?? row.file.modified,
  };
}
