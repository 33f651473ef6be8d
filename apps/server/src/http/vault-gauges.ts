import type { Audit } from '@grove/access';
import { type Scope, type VaultFigures, vaultFigures } from '@grove/service';
import { Counter, Gauge, Registry } from 'prom-client';

type OwnerFigures = NonNullable<VaultFigures['owner']>;

/** How long is kept what takes a look at every note, or at many rows. */
const KEPT_MS = 60_000;

/** What the vaults of one server come to, in the text format that Prometheus reads, each as its caller sees it. */
export class VaultGauges {
  readonly #audit: Pick<Audit, 'sum'>;
  /** By vault. */
  readonly #slow = new Map<string, { readonly at: number; readonly figures: SlowFigures }>();

  constructor(audit: Pick<Audit, 'sum'>) {
    this.#audit = audit;
  }

  /** Only the slug names the vault: no path, no name of a note. */
  async text(slug: string, scope: Scope): Promise<string> {
    const figures = await vaultFigures(scope);
    const told = new Told(slug);
    told.gauge('grove_notes', 'Notes that the key may see.', figures.notes);
    const { state } = figures.index;
    told.gauge(
      'grove_vault_up',
      '1 when the folder of the vault is there and its notes are read, else 0.',
      figures.vault.state === 'ready' ? 1 : 0,
    );
    told.gauge(
      'grove_index_ready',
      '1 when the search index holds every note, else 0.',
      state === 'ready' ? 1 : 0,
    );
    tellEmbedding(told, figures);
    if (figures.owner !== null) {
      tellOwner(told, figures, figures.owner, scope.clock.now());
      tellSlow(told, this.#slowOf(slug, figures.owner));
    }
    return await told.text();
  }

  #slowOf(slug: string, owner: OwnerFigures): SlowFigures {
    const known = this.#slow.get(slug);
    if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.figures;
    const figures = {
      uncommitted: owner.autocommit()?.uncommitted ?? null,
      audited: this.#audit.sum({ vaults: [slug] }).total.calls,
    };
    this.#slow.set(slug, { at: performance.now(), figures });
    return figures;
  }
}

interface SlowFigures {
  readonly uncommitted: number | null;
  readonly audited: number;
}

/** Figures of one vault that are read once. */
class Told {
  readonly #vault: string;
  readonly #registry = new Registry();

  constructor(vault: string) {
    this.#vault = vault;
  }

  gauge(name: string, help: string, value: number): void {
    const gauge = new Gauge({ name, help, labelNames: ['vault'], registers: [this.#registry] });
    gauge.set({ vault: this.#vault }, value);
  }

  /** A number that only grows while the process lives. */
  counter(name: string, help: string, value: number): void {
    const counter = new Counter({ name, help, labelNames: ['vault'], registers: [this.#registry] });
    counter.inc({ vault: this.#vault }, value);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

function tellEmbedding(told: Told, { embedding, index, owner }: VaultFigures): void {
  if (embedding === null) return;
  told.gauge('grove_embedding_notes', 'Notes that are to be found by meaning.', embedding.total);
  told.gauge('grove_embedding_done', 'Notes that can be found by meaning.', embedding.done);
  told.gauge('grove_embedding_pending', 'Notes that wait to be embedded.', embedding.pending);
  told.gauge('grove_embedding_failed', 'Notes that could not be embedded.', embedding.failed);
  if (owner !== null && index.meaning !== null)
    told.counter(
      'grove_embedded_texts_total',
      'Texts embedded since the vault was opened; its rate is the speed of embedding.',
      index.meaning.embedded,
    );
}

function tellOwner(told: Told, { vault, index }: VaultFigures, owner: OwnerFigures, now: number): void {
  told.gauge('grove_index_documents', 'Notes in the search index.', owner.documents);
  told.gauge('grove_index_pending', 'Changed notes that the search index does not hold yet.', index.pending);
  told.counter('grove_notes_read_total', 'Notes read and parsed since the vault was opened.', vault.parsed);
  if (vault.lastReconcile !== null) {
    told.gauge(
      'grove_reconcile_age_seconds',
      'Since the whole folder was last compared with the index.',
      Math.max(0, (now - vault.lastReconcile.at) / 1000),
    );
    told.gauge('grove_reconcile_duration_seconds', 'How long that took.', vault.lastReconcile.tookMs / 1000);
  }
  told.gauge('grove_files_skipped', 'Files that are no notes, or cannot be read.', vault.skipped.length);
  if (owner.queue !== null) tellQueue(told, owner.queue);
  if (owner.gitDir !== null) tellGitDir(told, owner.gitDir);
  if (owner.sync !== null && owner.sync.mode !== 'off') tellSync(told, owner.sync, now);
}

function tellQueue(told: Told, queue: NonNullable<OwnerFigures['queue']>): void {
  told.gauge('grove_write_queue_length', 'Writes that were accepted and are not done.', queue.waiting);
  told.gauge(
    'grove_write_queue_oldest_seconds',
    'Since when the oldest of them waits or runs.',
    queue.oldestMs / 1000,
  );
  told.counter('grove_writes_begun_total', 'Writes that had their turn.', queue.begun);
  told.counter(
    'grove_write_queue_wait_seconds_total',
    'How long they waited for it, all together.',
    queue.waitedMs / 1000,
  );
}

function tellGitDir(told: Told, gitDir: NonNullable<OwnerFigures['gitDir']>): void {
  const counted = '; counted at most once a minute.';
  told.gauge(
    'grove_git_loose_objects',
    `Objects of the history that are not packed${counted}`,
    gitDir.looseObjects,
  );
  told.gauge('grove_git_packs', `Packs of the history${counted}`, gitDir.packs);
  told.gauge(
    'grove_git_bytes',
    `Bytes of all objects of the history, in part estimated${counted}`,
    gitDir.bytes,
  );
}

function tellSync(told: Told, sync: NonNullable<OwnerFigures['sync']>, now: number): void {
  const age = (name: string, help: string, at: number | null): void => {
    if (at !== null) told.gauge(name, help, Math.max(0, (now - at) / 1000));
  };
  age('grove_sync_pull_age_seconds', 'Since the remote was last looked at with success.', sync.lastPull);
  age('grove_sync_push_age_seconds', 'Since something was last pushed with success.', sync.lastPush);
  if (sync.ahead !== null) told.gauge('grove_sync_ahead', 'Commits that the remote lacks.', sync.ahead);
  if (sync.behind !== null) told.gauge('grove_sync_behind', 'Commits that the vault lacks.', sync.behind);
  told.gauge('grove_sync_conflicts', 'Copies of conflicts that are not settled.', sync.conflicts);
  told.gauge(
    'grove_sync_failing_seconds',
    'How long sync has been failing; 0 while it works.',
    sync.problem === null ? 0 : Math.max(0, (now - sync.problem.since) / 1000),
  );
}

function tellSlow(told: Told, { uncommitted, audited }: SlowFigures): void {
  const counted = '; counted at most once a minute.';
  if (uncommitted !== null)
    told.gauge('grove_uncommitted_notes', `Notes that differ from the last commit${counted}`, uncommitted);
  told.gauge('grove_audit_entries', `Calls in the audit${counted}`, audited);
}
