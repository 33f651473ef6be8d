import type { Clock, WriteFs } from '@grove/core';
import type { VaultSearch } from '@grove/search';
import type { TrailRules } from '@grove/trails';
import type { Owner, Ownership, Vault, View, ViewRules } from '@grove/vault';
import type { Confirmations } from '@grove/writes';
import type { QuietTimes } from '../autocommit/quiet.ts';
import type { AccessScope, Principal, Scope, VaultWrites } from '../contract.ts';
import type { Embedding, EmbeddingTrouble } from '../embedding/contract.ts';
import type { GitInsideOutcome, GitInsideWish } from '../git-inside/git-inside.ts';
import type { MaintainOutcome, MaintenancePace } from '../maintenance/maintenance.ts';
import type { TrailPreview } from '../preview/contract.ts';
import type { SyncWish, VaultSync } from '../sync/contract.ts';
import type { HealthAnswer } from '../vault-status/contract.ts';

/** How a vault is opened by the process that owns it. Paths are absolute; nothing is read from the environment. */
export interface OpenOwnedVaultOptions {
  /** The folder of notes. */
  readonly root: string;
  /** Grove's data folder; the vault's state goes to `<dataDir>/vaults/<slug>`. */
  readonly dataDir: string;
  /** What the owner file says of this process. */
  readonly kind: Owner['kind'];
  /** Address of the socket that other processes may connect to, or null when there is none. */
  readonly socketPath?: string | null;
  /** The process policy (`GROVE_READ_PATHS` and its kin); everything may be read when absent. */
  readonly policy?: ViewRules;
  /** True, or the interval in milliseconds, to poll the folder instead of watching it. */
  readonly poll?: boolean | number;
  /** Address under which notes can be opened over HTTP, without a trailing slash. */
  readonly publicUrl?: string | null;
  readonly clock?: Clock;
  /** The disk that notes are written to, unless a test puts in another. */
  readonly fs?: WriteFs;
  /** Gives the folder a `.git` of its own first, with the history that Grove kept for it; see `putGitInside`. */
  readonly gitInside?: GitInsideWish;
  /** How long a vault is quiet before outside edits are committed; half a minute, and ten at most. */
  readonly autocommit?: QuietTimes;
  /** When loose objects are packed: after a minute without a commit, from 2,000 on, unless told. */
  readonly maintenance?: MaintenancePace;
  /**
   * Rules of all trails of the vault of this slug as they are now, and null where they cannot be read: then Grove puts no links into
   * notes. Left out: there are none.
   */
  readonly trails?: (slug: string) => readonly TrailRules[] | null;
  /** Search by meaning, asked for when the vault is owned; left out or null: search is by words alone. */
  readonly embedding?: () => Promise<Embedding | EmbeddingTrouble | null>;
  /** How the vault is kept level with a git remote; left out: as it was chosen for this vault, and only when asked. */
  readonly sync?: SyncWish;
  /** Hears of failures that must not stop the vault, with their cause; never with a note's text. */
  readonly onProblem?: (problem: { readonly what: string; readonly cause: unknown }) => void;
}

/**
 * One step of opening or rebuilding. The phases overlap: notes are indexed while others are still read. `embedding` goes
 * on after the vault is ready.
 */
export interface OpenProgress {
  readonly phase: 'notes' | 'index' | 'history' | 'embedding';
  readonly done: number;
  /** Null until it is known. */
  readonly total: number | null;
  readonly finished: boolean;
}

/** What a principal was given beside its rules. */
export interface Access {
  readonly scopes: readonly AccessScope[];
  /** True for the scope of a trail: it has no past, no revisions, no trash, and none of the owner's facts. */
  readonly trail?: boolean;
}

/** The write switch of a vault, for its owner. */
export interface OwnedWrites extends VaultWrites {
  /** Turns writing on or off: at once, for every client, and for later starts. */
  switch(on: boolean): Promise<void>;
  onSwitch(listener: (on: boolean) => void): () => void;
  /** Deletions that wait for a yes. */
  readonly confirmations: Confirmations;
  /** Resolves when what was acknowledged is no longer kept in the journal: files, objects and refs are synced. */
  settled(): Promise<void>;
}

/** A vault with its search, its history and its owner's lock, open in this process. */
export interface OpenedVault {
  readonly slug: string;
  /** `<dataDir>/vaults/<slug>`. */
  readonly stateDir: string;
  /** What became of `gitInside`; null where nobody asked for it. */
  readonly gitInside: GitInsideOutcome | null;
  readonly vault: Vault;
  readonly search: VaultSearch;
  readonly ownership: Ownership;
  /** Whether the vault may be written, and the switch of its owner. */
  readonly writes: OwnedWrites;
  /** Resolves when every note present at open is in the catalog and in the index. History may still be read. */
  readonly ready: Promise<void>;
  /** Resolves when git's history was read as it was at open, or cannot be read: until then times may be the files'. */
  readonly historyRead: Promise<void>;
  /**
   * What one caller's operations may reach: everything the process policy allows, or what `rules` leave of it. Who is
   * given no `scopes` may only read.
   */
  scope(principal: Principal, rules?: ViewRules, access?: Access): Scope;
  /** What a trail of these rules would show, for the owner. */
  preview(rules: TrailRules): TrailPreview;
  /** Types of notes and of the settings, first spelling kept: what the rules of a trail may name. */
  noteTypes(): readonly string[];
  /** The answer of vault_status for this View. */
  health(view: View): Promise<HealthAnswer>;
  /** Reads every file again and builds the index anew; resolves when it holds every note. */
  reindex(): Promise<void>;
  /**
   * Packs the loose objects of the git dir now.
   *
   * @throws GroveError `writes_unavailable`, `repository_unreadable`, `repository_full`, `repository_unwritable`
   */
  maintain(onProgress?: (done: number, total: number) => void): Promise<MaintainOutcome>;
  /** Keeps the vault level with a git remote. */
  readonly sync: VaultSync;
  onProgress(listener: (progress: OpenProgress) => void): () => void;
  /** Ends writes, search, vault, history and ownership, in this order; a second call waits for the first. */
  close(): Promise<void>;
}
