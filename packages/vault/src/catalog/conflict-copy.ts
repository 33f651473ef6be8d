/** What is put into the names of copies: by Syncthing, by Dropbox and Nextcloud, by Grove, which names the day. */
const MARK =
  /\.sync-conflict-[\w-]*|\s*\((?:[^()]*\bconflicted copy\b|conflict \d{4}-\d{2}-\d{2}\b|case conflict)[^()]*\)/gi;

/**
 * The name of the note that a name is a copy of; the name itself where it is none.
 *
 * @example withoutCopyMark('Plan (conflict 2026-11-30 origin)') // 'Plan'
 */
export function withoutCopyMark(name: string): string {
  return name.replaceAll(MARK, '');
}

/** True for the name of a copy that was left beside a note because both sides changed it. */
export function isConflictCopy(name: string): boolean {
  return withoutCopyMark(name) !== name;
}
