import type { Clock, VaultPath, WriteFs } from '@grove/core';
import type { GitLocation, GitStore, MadeCommit, UserSettings } from '@grove/history';
import type { PullOutcome, PullRequest } from '../pulling/contract.ts';
import type { WriteQueueState } from '../queue/write-queue.ts';

/** Who a commit is by. */
export interface WriteAuthor {
  readonly kind: 'owner' | 'stdio' | 'key' | 'grant' | 'trail';
  readonly id: string;
  readonly name: string;
  /** The program that the principal writes with, where it said so. */
  readonly client: string | null;
}

/** A file as it is on disk inside the critical section. */
export interface FileNow {
  readonly bytes: Uint8Array;
  /** Of the bytes. */
  readonly contentHash: string;
  /** The ledger's while the disk still holds what the ledger last saw, else the content hash. */
  readonly sourceHash: string;
  /** Vault-relative, as the disk spells it. */
  readonly diskPath: string;
  /** Null for one that is only planned. */
  readonly access: FileAccess | null;
}

/** A note as a commit has it. */
export interface NoteThen {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Permissions of a file, and the owner, whom only root can give files to. */
export interface FileAccess {
  readonly permissions: number;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** What becomes of one file. */
export interface PlannedChange {
  readonly path: VaultPath;
  /** The whole new file; null removes it. */
  readonly after: Uint8Array | null;
  /** Keeps the source hash (only discovery's own commits). */
  readonly keepSource?: boolean;
  /**
   * What a new file gets that comes from another: its permissions and owner, or those that its folder gives, and
   * `executable`, which is all that git knows of them. Otherwise those that its folder gives.
   */
  readonly access?: FileAccess | 'executable' | null;
}

/** All that one commit does. */
export interface WritePlan {
  readonly changes: readonly PlannedChange[];
  /** First line of the commit's message. */
  readonly subject: string;
  /** `Grove-Operation`, `Grove-Reason` and the like; the engine adds key, client, source and the MAC. */
  readonly trailers: Readonly<Record<string, string>>;
  /** True for what no person or agent meant as an edit: it does not count for "modified". */
  readonly mechanical: boolean;
  /** Kept with the idempotency row and given back on a retry. JSON. */
  readonly answer: unknown;
  /** Work for after the write, kept until {@link WriteEngine.followedUp} so that no crash forgets it. JSON. */
  readonly followUp?: unknown;
}

/** One write: what it may touch, and what it makes of it. */
export interface EngineRequest {
  /** Every path that the plan may look at or change; a change of another is refused. */
  readonly paths: readonly VaultPath[];
  /**
   * Runs inside the critical section on the bytes of now; throws a GroveError to refuse (nothing is changed
   * then). Pure: it runs again when somebody else was faster.
   */
  plan(files: ReadonlyMap<VaultPath, FileNow | null>): WritePlan | Promise<WritePlan>;
  readonly author: WriteAuthor;
  /** Keys belong to one principal; `bodyHash` tells a retry from another request under the same key. */
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
  /** True to be refused as the write would be, and to change nothing: the outcome names no files. */
  readonly dryRun?: boolean;
}

/** A file that a write touched. Hashes and sizes (in bytes) are null where there is no file. */
export interface WrittenFile {
  readonly path: VaultPath;
  readonly sourceHash: string | null;
  readonly contentHash: string | null;
  readonly sizeBefore: number | null;
  readonly sizeAfter: number | null;
}

/** What a write did. */
export interface EngineOutcome {
  /** Null when the plan changed no byte. */
  readonly commit: string | null;
  /** One for each change of the plan, in its order. */
  readonly files: readonly WrittenFile[];
  /** Where somebody's newer words went. */
  readonly conflictSaved: readonly VaultPath[];
  /** True when this is the answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean;
  readonly answer: unknown;
  /** Id of the work that this write left for after it, or null. */
  readonly followUp: number | null;
}

/** Work that a write left for after it. */
export interface FollowUp {
  readonly id: number;
  readonly task: unknown;
}

/** Changes the files of one vault and its history, one write at a time. */
export interface WriteEngine {
  /** Why this vault cannot be written, or null. */
  problem(): Promise<string | null>;
  /** True once a note was written where no hard link could be made: its old text is kept as a copy meanwhile. */
  readonly lacksLinks: boolean;
  /** How its queue stands. */
  queue(): WriteQueueState;
  /**
   * Does one write. When it resolves, the write survives `kill -9` and power loss.
   *
   * @throws GroveError `write_queue_full`, `vault_degraded`, `idempotency_key_reused`, `path_taken`,
   * `path_refused`, `folder_is_file`, `write_conflict`, `disk_unwritable`, `ledger_unavailable`, `stopping`;
   * `git_busy`, `git_in_operation`, `git_ignored`, `git_filter_unsupported`, `repository_unwritable`; what the
   * plan throws
   */
  apply(request: EngineRequest): Promise<EngineOutcome>;
  /** `source_hash` of a note whose disk bytes have this content hash. */
  sourceHashOf(path: VaultPath, contentHash: string): string;
  /** The bytes that had this (source, content or blob) hash at this path, found in git; null when not known. */
  baseOf(path: VaultPath, hash: string): Promise<Uint8Array | null>;
  /** The bytes of a note before Grove last changed it by itself; null when they are not those of its `source_hash`. */
  sourceOf(path: VaultPath): Promise<Uint8Array | null>;
  /**
   * A note as a commit has it, in either Unicode form of its name; null where it has none.
   *
   * @param commit a whole id
   * @throws GroveError `repository_unreadable`
   */
  noteAt(path: VaultPath, commit: string): Promise<NoteThen | null>;
  /**
   * Id of the blob that git has for a file of these bytes.
   *
   * @throws GroveError `git_filter_unsupported`
   */
  storedId(path: VaultPath, bytes: Uint8Array): Promise<string>;
  /**
   * Commits what changed outside, for autocommit; exactly these paths. Paths that git ignores or filters are
   * passed over. Null when nothing differs from HEAD.
   */
  commitOutside(paths: readonly VaultPath[]): Promise<string | null>;
  /**
   * Takes a commit of a remote into the vault: fast-forward where it can be, else merged by file and by line. Of lines
   * that both changed those of the vault stay, and their file is saved beside. When it resolves, the pull survives
   * `kill -9` and power loss; when it throws, nothing was taken.
   *
   * @throws GroveError `sync_unsupported`, `git_filter_unsupported`, `path_refused`, `vault_degraded`, `disk_full`,
   * `disk_unwritable`, `ledger_unavailable`, `stopping`, `git_busy`, `git_in_operation`, `repository_unwritable`,
   * `repository_unreadable`
   */
  pull(request: PullRequest): Promise<PullOutcome>;
  /** True while files of a pull may still be put in place or taken back, by the next write or start. */
  readonly isPullUnfinished: boolean;
  /** Work that writes left for after them and that nobody has done yet, oldest first. */
  followUps(): readonly FollowUp[];
  followedUp(id: number): void;
  /** Resolves when everything acknowledged is synced and its journal rows are gone. */
  settled(): Promise<void>;
  /** Finishes what was accepted, syncs it and lets the ledger go. */
  close(): Promise<void>;
}

/** Something that the owner should hear of; the engine goes on. */
export interface EngineProblem {
  readonly what: 'recovery' | 'ledger' | 'publish' | 'settle' | 'conflict';
  /** Vault-relative, where it is about a file. */
  readonly path: string | null;
  /** A sentence. */
  readonly message: string;
  readonly cause: unknown;
}

export interface OpenEngineOptions {
  /** Real path of the vault folder. */
  readonly root: string;
  /** The vault's state folder; the ledger and the key of the signed trailers lie there. */
  readonly stateDir: string;
  readonly location: GitLocation;
  /** To read the repository with, where somebody has one open: what is written is in its cache then. */
  readonly store?: GitStore | undefined;
  readonly clock: Clock;
  /** The disk, unless a test puts in another. */
  readonly fs?: WriteFs;
  /** Where git's settings of the machine and the user lie; the usual places unless told. */
  readonly userSettings?: UserSettings;
  /**
   * Called with the touched paths and the commits made, before the answer: catalog, index and times take them. Null
   * where commits came from elsewhere: HEAD tells then.
   */
  readonly published: (paths: readonly VaultPath[], made: readonly MadeCommit[] | null) => Promise<void>;
  readonly onProblem?: (problem: EngineProblem) => void;
}
