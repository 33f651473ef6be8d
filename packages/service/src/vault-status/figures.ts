import type { SearchHealth } from '@grove/search';
import type { VaultHealth } from '@grove/vault';
import type { WriteQueueState } from '@grove/writes';
import type { AutocommitState } from '../autocommit/autocommit.ts';
import type { Scope } from '../contract.ts';
import type { MaintenanceState } from '../maintenance/maintenance.ts';
import type { SyncHealth } from '../sync/contract.ts';

/**
 * How a vault stands, collected once for both that tell of it, vault_status and `/metrics`. Nothing looks at the folder
 * of notes for it, and at the git dir once a minute at most.
 */
export interface VaultFigures {
  readonly vault: VaultHealth;
  readonly index: SearchHealth;
  /** Notes that the caller may see. */
  readonly notes: number;
  /** Those of them that can be found by meaning, wait for it, or cannot be embedded; null where no model is set up. */
  readonly embedding: EmbeddingFigures | null;
  /** Null for who is not the owner. */
  readonly owner: OwnerFigures | null;
}

export interface EmbeddingFigures {
  readonly total: number;
  readonly done: number;
  readonly pending: number;
  readonly failed: number;
}

/** What is the owner's alone to hear. */
export interface OwnerFigures {
  /** Notes in the search index that the owner may see. */
  readonly documents: number;
  /** Null where the vault cannot be written at all. */
  readonly queue: WriteQueueState | null;
  /** Counting what is not committed goes over every note of the catalog. */
  autocommit(): AutocommitState | null;
  readonly gitDir: MaintenanceState | null;
  /** Null where nothing can be kept level with a remote. */
  readonly sync: SyncHealth | null;
  /** Bytes of memory that the process has. */
  readonly memory: number;
}

/** @example (await vaultFigures(scope)).owner?.queue?.waiting // 0 */
export async function vaultFigures(scope: Scope): Promise<VaultFigures> {
  const { view, vault, search } = scope;
  const index = search.health();
  return {
    vault: vault.health(),
    index,
    notes: view.size,
    embedding: embeddingFigures(scope),
    owner: view.isOwner ? await ownerFigures(scope, index) : null,
  };
}

function embeddingFigures({ search, view }: Scope): EmbeddingFigures | null {
  const counts = search.embeddedOf(view);
  if (search.health().meaning === null || counts === null) return null;
  return { ...counts, pending: counts.total - counts.done - counts.failed };
}

async function ownerFigures(scope: Scope, index: SearchHealth): Promise<OwnerFigures> {
  return {
    // The index holds what the process policy denies as well; how many notes that are is nobody's to hear.
    documents: Math.min(index.documents, scope.view.size),
    queue: scope.writes.queue(),
    autocommit: () => scope.autocommit(),
    gitDir: await scope.gitDir(),
    sync: scope.syncHealth(),
    memory: process.memoryUsage.rss(),
  };
}
