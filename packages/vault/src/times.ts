/** What git knows of one path. Times are milliseconds since the epoch. */
export interface GitFileTimes {
  readonly created: number;
  readonly modified: number;
  /** True when the first commit only found the note, which may be older. */
  readonly found: boolean;
  /** Blob id of the path at HEAD, or null when HEAD does not hold it. */
  readonly blob: string | null;
}

/**
 * The port through which the vault learns a note's times; `history` implements it. Answers are synchronous
 * and come from memory: while `ready` is false they may be null and change later.
 */
export interface GitTimes {
  readonly ready: boolean;
  /** Times of the path, or null where history does not know it. `path` is vault-relative, as git spells it. */
  times(path: string): GitFileTimes | null;
  /** Looks whether HEAD moved and takes up what is new. */
  refresh(): Promise<void>;
  /** Calls `listener` after times changed; returns what ends that. */
  onChange(listener: () => void): () => void;
}

/** For a vault whose history is not known: every answer is null. */
export const noGitTimes: GitTimes = {
  ready: true,
  times: () => null,
  refresh: async () => {},
  onChange: () => () => {},
};
