/** What sync does with a vault: nothing, both ways, or one of them. */
export type SyncMode = 'off' | 'on' | 'pull' | 'push';

/** How long what failed is left alone: from the first wait, doubling, to the longest. Milliseconds. */
export interface RetryTimes {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** What a process says of sync when it opens a vault. */
export interface SyncWish {
  /** Null: what was switched on for this vault counts. */
  readonly mode: SyncMode | null;
  /** What the remote lets in by; null: the one that was stored for this vault. */
  readonly token: string | null;
  /** Milliseconds between two looks at the remote; 0: only when it is asked for. */
  readonly pullMs: number;
  /** Milliseconds from a commit to its push. */
  readonly pushMs: number;
  /** False for a process of one call: it does what it is asked for, and nothing by itself. */
  readonly byItself: boolean;
  /** Half a minute, and an hour at most, unless told. */
  readonly retry?: RetryTimes;
}

/** Why sync does not go on, and what to do. */
export interface SyncProblem {
  /** Of the error catalogue. */
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Milliseconds since the epoch: when it began. */
  readonly since: number;
}

/** How sync stands, for the owner alone. No token is in it. Times are milliseconds since the epoch. */
export interface SyncHealth {
  readonly mode: SyncMode;
  /** The name of the remote in git's config; null where there is none. */
  readonly remote: string | null;
  /** The address of the remote without a user or a secret in it. */
  readonly url: string | null;
  readonly host: string | null;
  readonly branch: string | null;
  /** `waiting`: the last run failed, and it is tried again at `nextAt`. */
  readonly state: 'off' | 'idle' | 'running' | 'waiting';
  /** When the remote was last looked at with success. */
  readonly lastPull: number | null;
  /** When something was last pushed with success. */
  readonly lastPush: number | null;
  /** Commits that the remote lacks, and those that this vault lacks, as far as is known; null while it is not. */
  readonly ahead: number | null;
  readonly behind: number | null;
  /** Copies of conflicts that are not settled. */
  readonly conflicts: number;
  readonly problem: SyncProblem | null;
  /** When it runs by itself again; null where nothing is planned. */
  readonly nextAt: number | null;
}

/** What one run did. */
export interface SyncReport {
  /** How the vault took what the remote has; null where it did not look. */
  readonly pulled: 'up_to_date' | 'ahead' | 'fast_forward' | 'merged' | null;
  /** Files that came, changed or went. */
  readonly changed: readonly string[];
  readonly conflicts: readonly SyncConflict[];
  /** True when commits went to the remote. */
  readonly pushed: boolean;
  /** Of what failed; null when all went well. */
  readonly problem: SyncProblem | null;
}

/** A file that both sides changed. */
export interface SyncConflict {
  readonly path: string;
  /** Where the other side's whole version was put; null where it has none. */
  readonly saved: string | null;
  readonly why: 'lines' | 'deleted_here' | 'deleted_there' | 'binary' | 'kinds';
}

/** What `grove sync on` decides. */
export interface SyncChoice {
  readonly mode: SyncMode;
  /** Another remote than `origin`, or than the one that was chosen before. */
  readonly remote?: string;
  /** Its address, where git's config has none or another. */
  readonly url?: string;
  /** Whether the branch may be made at a remote that has others and lacks this one. */
  readonly createBranch?: boolean;
}

/** A vault that is kept level with a git remote. */
export interface VaultSync {
  /** As it was known last; costs nothing. */
  health(): SyncHealth;
  /** The same, with the remote's settings and the commits between both sides looked up again. */
  look(): Promise<SyncHealth>;
  /**
   * Runs once, now, whether it is switched on or not; a run under way is followed by one more. What fails is told in the
   * report and in health.
   */
  run(): Promise<SyncReport>;
  /** One look at the remote, where it is pulled from; what is due to be pushed goes along. */
  nudge(): void;
  /**
   * The owner agrees to what waits for that: to what a sync brought into `.grove/vault.yaml`, and to merge with a branch
   * that was set back. The next run does it.
   */
  accept(): Promise<{ readonly settings: boolean; readonly branch: boolean }>;
  /** What the last run did that has ended, since this process began. */
  readonly last: SyncReport | null;
  /** The same, once none is under way. */
  ended(): Promise<SyncReport | null>;
  /** What keeps it from being of use, as sentences, though nothing failed. */
  remarks(): Promise<readonly string[]>;
  /**
   * Chooses what is done by itself, at once and for later starts.
   *
   * @throws GroveError `sync_unsupported`, `remote_none`, `bad_input`
   */
  choose(choice: SyncChoice): Promise<SyncHealth>;
  /** Keeps a token beside the vault's state, or forgets it with null. */
  keepToken(token: string | null): Promise<void>;
  /** Calls off what is under way, and waits a few seconds for it. */
  close(): Promise<void>;
}
