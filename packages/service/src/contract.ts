import type { Clock } from '@grove/core';
import type { History } from '@grove/history';
import type { VaultSearch } from '@grove/search';
import type { NoteRow, Vault, View } from '@grove/vault';
import type {
  AskPerson,
  Confirmations,
  DiscoverOutcome,
  NoteWrites,
  ReadTrustedWords,
  RevertOutcome,
  RevertWish,
  UndoDiscoveryWish,
  VaultTrash,
  WritePolicy,
  WriteQueueState,
  WriteRights,
} from '@grove/writes';
import type { z } from 'zod';
import type { AutocommitState } from './autocommit/autocommit.ts';
import type { EmbeddingState } from './embedding/contract.ts';
import type { PatternVerdicts } from './filters/logic/pattern-verdicts.ts';
import type { PropertyCache } from './filters/property-cache.ts';
import type { TextAnswers } from './filters/text-question.ts';
import type { MaintenanceState } from './maintenance/maintenance.ts';
import type { ParameterTable } from './parameters/parameter.ts';
import type { SyncHealth, VaultSync } from './sync/contract.ts';

/** Who calls: the owner's command line, a stdio client, a key, an OAuth grant, or who holds a trail. */
export interface Principal {
  readonly kind: 'owner' | 'stdio' | 'key' | 'grant' | 'trail';
  /** Stable within its kind; seals cursors together with the View. */
  readonly id: string;
  readonly name: string;
  /** The program it comes with, where that said its name: told in the history of notes. */
  readonly client?: string;
  /** The trail that binds it, by its id: for the audit. */
  readonly trail?: string;
}

/** What a principal was given: as keys have it, `write` implies the others but `admin`. */
export type AccessScope = 'read' | 'append' | 'write' | 'admin';

/** Whether notes of a vault can be written, now; another moment may answer otherwise. */
export interface VaultWrites {
  /** The vault's write switch, which is off until its owner turns it on. */
  readonly on: boolean;
  /** Null when this vault cannot be written at all. */
  readonly notes: NoteWrites | null;
  /** What stood in the way when the vault was opened, as a sentence for the owner; null when nothing did. */
  readonly problem: string | null;
  /** True once a note was written where no hard link could be made. */
  readonly lacksLinks: boolean;
  /** How the writes that wait stand; null when this vault cannot be written at all. */
  queue(): WriteQueueState | null;
}

/** Whether times come from git already, and why they cannot. */
export interface HistoryHealth {
  readonly ready: boolean;
  readonly problem: string | null;
}

/** The commits of a vault. What a caller may hear of them is judged by its View. */
export interface VaultPast {
  readonly history: History;
  /** What Grove wrote into a commit; null where its signature does not hold. */
  readonly trusted: ReadTrustedWords;
  /** True where no rule, and no policy of the process, keeps anything of the vault from this caller. */
  readonly seesAll: boolean;
}

/**
 * Everything that one caller's operations may reach. Scope is the object you hold: there is no other way to a
 * note than `view`, and nothing here widens it.
 */
export interface Scope {
  readonly principal: Principal;
  readonly view: View;
  readonly search: VaultSearch;
  /** For times, zone, names and health; never for notes. */
  readonly vault: Vault;
  readonly clock: Clock;
  /** True when a note's file still has the identity, size and times that the catalog knows; reads no bytes. */
  isUnchanged(row: NoteRow): Promise<boolean>;
  /** Frontmatter values that filters and lists ask for. */
  readonly properties: PropertyCache;
  /** What the texts of notes answered to filters. */
  readonly texts: TextAnswers;
  /** What the patterns of filters said of short texts. */
  readonly patterns: PatternVerdicts;
  /** True for a path that the process policy lets its owner hear of: files that are no notes are in no View. */
  mayName(path: string): boolean;
  /** Changes notes, where the switch and these rights let it. */
  readonly writes: VaultWrites;
  readonly may: WriteRights;
  /** Where this caller may write. */
  readonly writable: WritePolicy;
  /** `source_hash` of a note as it was just read. */
  sourceHash(row: NoteRow): string;
  /** What is known of the vault's history; the problem is for the owner. */
  history(): HistoryHealth;
  /** What stands in the way of search by meaning; its own health says the rest. For the owner. */
  readonly embedding: EmbeddingState;
  /** How outside edits are committed; null where nothing can be. For the owner. */
  autocommit(): AutocommitState | null;
  /** How much the git dir holds; null where there is none that can be written. For the owner who sees all of the vault. */
  gitDir(): Promise<MaintenanceState | null>;
  /** How sync with a git remote stands. For the owner. */
  syncHealth(): SyncHealth | null;
  /** Sync itself: only in the scope of an owner whose rights let it write. */
  readonly sync: VaultSync | null;
  /** True for the scope of a trail. To it the vault has no past at all. */
  readonly isTrail: boolean;
  /** Null when the history cannot be opened, and for a trail. For what `view` shows, by the functions of `history/`. */
  readonly past: VaultPast | null;
  /** Undoes what a key wrote: only in the scope of an owner who sees all of a vault that can be written. */
  readonly revert: ((wish: RevertWish) => Promise<RevertOutcome>) | null;
  /** Takes back links that Grove added, of one note or of all: only where `revert` is. */
  readonly undoDiscovery: ((wish: UndoDiscoveryWish) => Promise<DiscoverOutcome>) | null;
  /** The trash: only in the scope of an owner, of a vault whose history can be read and written. */
  readonly trash: VaultTrash | null;
  /** Asks the person at this caller's client, where the transport of the call can; null where it cannot. */
  readonly confirm: AskPerson | null;
  /** Deletions that wait for the owner's word: only in the scope of the owner. */
  readonly confirmations: Confirmations | null;
  /** Seals cursors; 32 random bytes kept with the vault's state. */
  readonly cursorKey: Uint8Array;
  /** Address under which notes can be opened over HTTP, without a trailing slash, or null. */
  readonly publicUrl: string | null;
}

/** Hints of the Model Context Protocol, all four on every tool. */
export interface OperationHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * One capability, described once for MCP, REST and the command line. `parse` accepts wide (JSON text, a string
 * for a list, null or '' for absent) and refuses unknown names with a suggestion; `inputSchema` is the narrow
 * JSON Schema to advertise (type, properties, items, enum, description, default, required only).
 */
export interface Operation<Input, Output> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: OperationHints;
  /** What `parse` takes, by name: for descriptions that say more than `inputSchema` may. */
  readonly parameters: ParameterTable;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly output: z.ZodType<Output>;
  /**
   * The narrow JSON Schema of every structured answer, errors included: the properties of `output`, none required,
   * and `error {code, message, next}`.
   */
  readonly outputSchema: Readonly<Record<string, unknown>>;
  /** Throws `bad_input`, `unknown_parameter`, `bad_filter`. */
  parse(raw: unknown): Input;
  run(scope: Scope, input: Input): Promise<Output>;
  /** The answer as compact Markdown that stands alone: MCP's text block, and what a terminal shows. */
  present(output: Output): string;
}
