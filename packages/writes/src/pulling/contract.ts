/** What is to be taken into the vault. */
export interface PullRequest {
  /** The commit, a whole id. It and everything that it leads to is in the repository, and durable. */
  readonly theirs: string;
  /** The remote that it came from, such as `origin`: in the names of copies and in the message. */
  readonly remote: string;
  /** Calls the pull off while nothing is changed yet: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Why a file of theirs is not what the vault has now: both changed the same `lines`; it was deleted on one side and
 * changed on the other; both changed a file that is no text (`binary`); or what stands in its place cannot be merged with it
 * (`kinds`: a folder, a link, a file that git does not know, one that is too large on either side).
 */
export type ConflictReason = 'lines' | 'deleted_here' | 'deleted_there' | 'binary' | 'kinds';

/** A file that both sides changed. What the vault had stays at `path`. */
export interface PullConflict {
  /** Vault-relative. */
  readonly path: string;
  /** Where their whole version is now, beside it; null where they deleted it, or have no file there. */
  readonly saved: string | null;
  readonly why: ConflictReason;
}

/** What a pull did. */
export interface PullOutcome {
  /** `ahead`: the vault has all of theirs and more. */
  readonly kind: 'up_to_date' | 'ahead' | 'fast_forward' | 'merged';
  /** The tip of the branch afterwards. */
  readonly head: string | null;
  /** Vault-relative paths of files that were put in place or removed, copies included. */
  readonly changed: readonly string[];
  readonly conflicts: readonly PullConflict[];
}
