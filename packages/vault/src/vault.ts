import type { Dialect } from '@grove/markdown';
import type { CatalogDelta, NoteRow, SkippedFile } from './note-row.ts';
import type { GardenSettings } from './settings/garden.ts';
import type { OwnersWord } from './settings/live-settings.ts';
import type { VaultSchema } from './settings/note-types.ts';
import type { DeletePolicy, DiscoverySetting } from './settings/settings.ts';
import type { View, ViewRules } from './view.ts';

export interface ScanProgress {
  readonly phase: 'listing' | 'reading' | 'done';
  readonly done: number;
  /** Null until the folder has been listed. */
  readonly total: number | null;
}

/** State of the folder and its catalog, for the owner; a View's caller gets the View's part only. */
export interface VaultHealth {
  readonly state: 'opening' | 'ready' | 'degraded' | 'closed';
  /** A sentence when degraded. */
  readonly problem: string | null;
  readonly notes: number;
  readonly skipped: readonly SkippedFile[];
  readonly unreadableFolders: readonly string[];
  readonly brokenFrontmatter: number;
  readonly watching: {
    readonly mode: 'events' | 'poll';
    readonly problem: string | null;
    readonly boundMs: number;
  };
  /** Milliseconds since the epoch of the last finished reconcile, and how long it took. */
  readonly lastReconcile: { readonly at: number; readonly tookMs: number } | null;
  /** Notes parsed since the vault was opened: 0 after an unchanged restart. */
  readonly parsed: number;
  /** Why the catalog was built anew, when it was (deleted, corrupt, other version). */
  readonly rebuilt: string | null;
  readonly history: { readonly ready: boolean };
  /** Sentences for the owner: settings that were not understood, work that failed and goes on. */
  readonly remarks: readonly string[];
}

/** A folder of notes, open. Many may be open in one process; nothing of two is shared. */
export interface Vault {
  readonly slug: string;
  readonly name: string;
  readonly dialect: Dialect;
  /** IANA zone of `.grove/vault.yaml`, else the machine's. */
  readonly zone: string;
  /** Owner's own words for agents (`instructions` or AGENTS.md), at most 600 characters, or null. */
  readonly instructions: string | null;
  /** Content hash of the AGENTS.md that they are taken from; null where they are not. */
  readonly instructionsNote: string | null;
  /** The owner's rules for notes, as the last good `.grove/vault.yaml` has them. */
  readonly schema: VaultSchema;
  /** What the owner lets become of notes that clients delete. */
  readonly deletes: DeletePolicy;
  /** Whether what is changed outside is to be committed without being asked; null where the owner does not say. */
  readonly autocommit: boolean | null;
  /** Whether the git dir is to be kept small without being asked. */
  readonly maintenance: boolean;
  /** What the owner wants of names of notes that are not linked. */
  readonly discovery: DiscoverySetting;
  /** Over the three above that say what Grove does by itself, where a sync brings the file that says so. */
  readonly ownersWord: OwnersWord;
  /** How the owner wants notes to be staged. */
  readonly garden: GardenSettings;
  /** Random id of the catalog; another one means that every id and sequence is new. */
  readonly catalogId: string;
  /** The last change sequence. */
  readonly sequence: number;
  /** Resolves when every file present at open is in the catalog and delivered to the listeners. */
  readonly ready: Promise<void>;
  /** Everything the process policy allows. */
  ownerView(): View;
  /** Compiles rules on top of the process policy; equal rules share one View. */
  view(rules: ViewRules): View;
  /**
   * Listeners are called in order and awaited before the next delta is delivered (it may be in the making), so a
   * slow index slows the scan instead of filling memory. A listener that throws is reported in health and does not stop the vault.
   */
  onDelta(listener: (delta: CatalogDelta) => Promise<void>): () => void;
  /** Resolves when the listeners have heard of all that the catalog holds now. */
  delivered(): Promise<void>;
  /** Calls `listener` after what the folder says about itself was read again; returns what ends that. */
  onSettings(listener: () => void): () => void;
  onProgress(listener: (progress: ScanProgress) => void): () => void;
  /** Rows written and ids removed after `sequence`, for an index that was closed meanwhile; null = start anew. */
  changesSince(
    sequence: number,
  ): { readonly upserted: readonly NoteRow[]; readonly removedIds: readonly number[] } | null;
  /** Reads rows again and delivers them as a delta: for an index that lost them. Every row when `rows` is null. */
  redeliver(rows: readonly NoteRow[] | null): Promise<void>;
  /** Stats the whole folder (or the named paths) now; resolves when the catalog and the listeners have it. */
  reconcile(paths?: readonly string[]): Promise<void>;
  /** Reads every file again, whatever its stat says, and delivers what differs; for `grove reindex`. */
  rescan(): Promise<void>;
  /** The state alone, at no cost: `health` goes over every note. */
  readonly state: VaultHealth['state'];
  health(): VaultHealth;
  close(): Promise<void>;
}
