import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Clock, Slices } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import { Catalog } from '../catalog/catalog.ts';
import { ClaimedMoments } from '../catalog/claimed-times.ts';
import { Deliveries, type DeltaListener } from '../catalog/deliveries.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import type { NoteRow } from '../note-row.ts';
import { NoteReader } from '../scan/note-reader.ts';
import { Reconciler } from '../scan/reconciler.ts';
import { RootGuard } from '../scan/root-guard.ts';
import { serveNote } from '../serve/serve-note.ts';
import type { GardenSettings } from '../settings/garden.ts';
import { LiveSettings, type OwnersWord } from '../settings/live-settings.ts';
import type { VaultSchema } from '../settings/note-types.ts';
import { type DeletePolicy, type DiscoverySetting, readingKey } from '../settings/settings.ts';
import type { GitTimes } from '../times.ts';
import type { ScanProgress, Vault, VaultHealth } from '../vault.ts';
import type { View, ViewRules } from '../view.ts';
import { readableBy } from '../views/path-rule.ts';
import { ViewSet } from '../views/view-set.ts';
import { Freshness } from '../watch/freshness.ts';
import { gitStamp } from '../watch/git-stamp.ts';
import { describeHealth } from './health.ts';

export interface OpenedVaultOptions {
  /** Real path. */
  readonly root: string;
  readonly name: string;
  readonly stateDir: string;
  readonly slug: string;
  readonly gitDir: string | null;
  readonly times: GitTimes;
  readonly clock: Clock;
  readonly policy: ViewRules;
  readonly poll: boolean | number;
  readonly maxBytes: number;
  readonly listenerGraceMs: number;
}

/** Files read less than this ago may have changed under the same stat key, in milliseconds. */
const RACY_AGAIN_MS = 2_200;
/** How long after the first look at the folder links are found out, in milliseconds. */
const PREPARE_AFTER_MS = 500;

/** Composes the parts of one open vault; each of them knows only what it is handed. */
export class OpenVault implements Vault {
  readonly slug: string;
  readonly name: string;
  readonly dialect: Dialect;
  readonly ready: Promise<void>;
  readonly #options: OpenedVaultOptions;
  readonly #settings: LiveSettings;
  readonly #catalog: Catalog;
  readonly #deliveries = new Deliveries();
  readonly #reader: NoteReader;
  readonly #guard: RootGuard;
  readonly #reconciler: Reconciler;
  readonly #views: ViewSet;
  readonly #freshness: Freshness;
  readonly #progress = new Set<(progress: ScanProgress) => void>();
  readonly #abort = new AbortController();
  readonly #firstListener = Promise.withResolvers<void>();
  #gitStamp = '';
  #state: 'opening' | 'ready' | 'closed' = 'opening';
  #failure: string | null = null;
  #watching: Promise<void> = Promise.resolve();
  #preparing: Promise<void> = Promise.resolve();

  static async open(options: OpenedVaultOptions): Promise<OpenVault> {
    const { root, stateDir, policy } = options;
    const mayRead = readableBy(policy);
    return new OpenVault(options, await LiveSettings.open({ root, stateDir, mayRead }));
  }

  private constructor(options: OpenedVaultOptions, settings: LiveSettings) {
    const { root, maxBytes, clock, times } = options;
    this.#options = options;
    this.#settings = settings;
    this.slug = options.slug;
    this.name = options.name;
    this.dialect = settings.current.dialect;
    const currentSettings = () => settings.current;
    const now = () => clock.now();

    const key = readingKey(settings.current);
    const opened = openCatalog(options.stateDir, key);
    this.#catalog = new Catalog(opened, join(options.stateDir, 'index', 'catalog.db'), key);
    this.#reader = new NoteReader({ root, maxBytes, settings: currentSettings });
    this.#guard = new RootGuard(root, this.#catalog, (problem) => this.#rootChanged(problem));
    settings.onlyWhile(() => this.#guard.check());
    this.#reconciler = new Reconciler({
      root,
      maxBytes,
      catalog: this.#catalog,
      reader: this.#reader,
      deliveries: this.#deliveries,
      guard: this.#guard,
      settings: currentSettings,
      now,
      signal: this.#abort.signal,
      onProgress: (progress) => this.#tellProgress(progress),
      beforeFirstDelta: () => this.#listenersHadTime(),
    });
    this.#freshness = new Freshness({
      root,
      poll: options.poll,
      reconcile: (paths) => this.#keepUp(paths),
      sweepCost: () => this.#reconciler.last?.sweepMs ?? 0,
      glance: () => this.#unlessClosed(() => this.#lookUp()),
    });
    this.#views = new ViewSet({
      dialect: this.dialect,
      vault: `${options.slug}\n${root}`,
      policy: options.policy,
      look: (paths) => this.#unlessClosed(() => this.#reconciler.paths(paths)),
      ground: {
        catalog: this.#catalog,
        times,
        claims: new ClaimedMoments(),
        settings: currentSettings,
        vaultNames: [...new Set([options.name, options.slug])],
        now,
        serve: (row) =>
          serveNote(row, {
            catalog: this.#catalog,
            reader: this.#reader,
            deliveries: this.#deliveries,
            guard: this.#guard,
            settings: currentSettings,
            maxBytes,
            lookAgain: (path) => this.#freshness.touch([path]),
          }),
      },
    });
    this.ready = this.#start();
    // Who does not wait for it must not be ended by it; health tells.
    this.ready.catch(() => {});
  }

  get zone(): string {
    return this.#settings.current.zone;
  }

  get instructions(): string | null {
    return this.#settings.current.instructions;
  }

  get instructionsNote(): string | null {
    return this.#settings.current.instructionsNote;
  }

  get deletes(): DeletePolicy {
    return this.#settings.current.deletes;
  }

  get autocommit(): boolean | null {
    return this.#settings.current.autocommit;
  }

  get maintenance(): boolean {
    return this.#settings.current.maintenance;
  }

  get discovery(): DiscoverySetting {
    return this.#settings.current.discovery;
  }

  get garden(): GardenSettings {
    return this.#settings.current.garden;
  }

  get ownersWord(): OwnersWord {
    return this.#settings;
  }

  get schema(): VaultSchema {
    return this.#settings.current.schema;
  }

  get catalogId(): string {
    return this.#catalog.catalogId;
  }

  get sequence(): number {
    return this.#catalog.sequence;
  }

  ownerView(): View {
    return this.#views.owner();
  }

  view(rules: ViewRules): View {
    return this.#views.view(rules);
  }

  onDelta(listener: DeltaListener): () => void {
    this.#firstListener.resolve();
    return this.#deliveries.add(listener);
  }

  onSettings(listener: () => void): () => void {
    return this.#settings.onChange(listener);
  }

  onProgress(listener: (progress: ScanProgress) => void): () => void {
    this.#progress.add(listener);
    return () => void this.#progress.delete(listener);
  }

  delivered(): Promise<void> {
    return this.#deliveries.newsTaken();
  }

  changesSince(sequence: number): { upserted: readonly NoteRow[]; removedIds: readonly number[] } | null {
    return this.#catalog.changesSince(sequence);
  }

  async redeliver(rows: readonly NoteRow[] | null): Promise<void> {
    const current = rows?.flatMap((row) => this.#catalog.byId(row.id) ?? []) ?? null;
    await this.#unlessClosed(() => this.#reconciler.again(current, 'deliver'));
  }

  async reconcile(paths?: readonly string[]): Promise<void> {
    await this.#unlessClosed(async () => {
      if (paths === undefined) await this.#wholeReconcile();
      else await this.#reconciler.paths(paths);
      await this.#deliveries.settled();
    });
  }

  async rescan(): Promise<void> {
    await this.#unlessClosed(async () => {
      await this.#wholeReconcile();
      await this.#reconciler.again(null, 'describe');
      await this.#deliveries.settled();
    });
  }

  get state(): VaultHealth['state'] {
    return this.#state !== 'closed' && this.#guard.problem !== null ? 'degraded' : this.#state;
  }

  health(): VaultHealth {
    return describeHealth({
      state: this.state,
      catalog: this.#catalog,
      reader: this.#reader,
      guard: this.#guard,
      reconciler: this.#reconciler,
      deliveries: this.#deliveries,
      watching: this.#freshness.watching,
      settings: this.#settings.current,
      dialect: this.dialect,
      failure: this.#failure,
      isHistoryReady: this.#options.times.ready,
    });
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#abort.abort();
    this.#firstListener.resolve();
    this.#views.close();
    await this.#watching;
    await this.#preparing;
    await this.#freshness.stop();
    await this.#reconciler.settled();
    await this.#deliveries.settled();
    await this.#catalog.close();
  }

  async #start(): Promise<void> {
    // After the caller's own turn, so that listeners can be there before the first delta.
    await setTimeout(0);
    if (this.#state === 'closed') return;
    // The first sweep does not wait for the watcher, which sweeps for itself once it hears of changes.
    this.#watching = this.#freshness.start();
    await this.#unlessClosed(() => this.#wholeReconcile());
    await this.#deliveries.settled();
    if (this.#state === 'opening') this.#state = 'ready';
    this.#planRacyLook();
    this.#preparing = this.#prepareLinks();
  }

  /** Finds out who links to whom before anyone asks, when what comes first at a start is through. */
  async #prepareLinks(): Promise<void> {
    const { signal } = this.#abort;
    try {
      await setTimeout(PREPARE_AFTER_MS, undefined, { ref: false, signal });
      await this.#views.prepareLinks(new Slices(signal));
    } catch (error) {
      // Whoever asks first tries again, and hears of what is amiss.
      if (!signal.aborted) this.#failure = error instanceof Error ? error.message : String(error);
    }
  }

  async #keepUp(paths: readonly string[] | null): Promise<void> {
    await this.#unlessClosed(async () => {
      if (paths === null) await this.#wholeReconcile();
      else await this.#reconciler.paths(paths);
    });
  }

  async #wholeReconcile(): Promise<void> {
    await this.#glance();
    await this.#reconciler.whole();
    await this.#mendCatalog();
  }

  async #lookUp(): Promise<void> {
    await this.#glance();
    // A folder that was empty or unreadable is listed again until it is not.
    if (this.#guard.problem !== null && this.#guard.check()) await this.#wholeReconcile();
    if (this.#catalog.storeFailure !== null) await this.#mendCatalog();
  }

  /** Looks at what is cheap to look at: the root, settings, HEAD. */
  async #glance(): Promise<void> {
    const { gitDir, times } = this.#options;
    if (!this.#guard.check()) return;
    await this.#settings.lookAgain();
    if (gitDir !== null) {
      const git = gitStamp(gitDir);
      if (git !== this.#gitStamp) {
        this.#gitStamp = git;
        await times.refresh();
      }
    }
  }

  async #mendCatalog(): Promise<void> {
    if (!this.#catalog.needsMending || !this.#catalog.mend()) return;
    await this.#reconciler.again(null, 'describe');
    this.#catalog.mended();
  }

  /** Runs work of the background; what it throws is told in health and ends nothing. */
  async #unlessClosed(work: () => Promise<void>): Promise<void> {
    if (this.#state === 'closed') return;
    try {
      await work();
      this.#failure = null;
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#failure = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  async #listenersHadTime(): Promise<void> {
    if (this.#deliveries.listeners > 0) return;
    const { listenerGraceMs } = this.#options;
    if (listenerGraceMs <= 0) return;
    await Promise.race([this.#firstListener.promise, setTimeout(listenerGraceMs, undefined, { ref: false })]);
    this.#firstListener.resolve();
  }

  #rootChanged(problem: string | null): void {
    if (problem !== null || this.#state === 'closed') return;
    void this.#freshness.restart();
  }

  #planRacyLook(): void {
    void setTimeout(RACY_AGAIN_MS, undefined, { ref: false, signal: this.#abort.signal }).then(
      () => this.#freshness.touch(this.#catalog.racyPaths()),
      () => {},
    );
  }

  #tellProgress(progress: ScanProgress): void {
    for (const listener of this.#progress) listener(progress);
  }
}
