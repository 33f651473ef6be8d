import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import type { Deliveries } from '../catalog/deliveries.ts';
import type { SkipReason } from '../disk/stat-key.ts';
import type { SkippedFile } from '../note-row.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { ScanProgress } from '../vault.ts';
import type { NoteReader, WantedFile } from './note-reader.ts';
import type { RootGuard } from './root-guard.ts';
import { isBelow, type SweepFindings, sweepFolder } from './sweep.ts';
import { type TakeOptions, takeFiles } from './take-files.ts';

export interface ReconcilerOptions {
  readonly root: string;
  readonly maxBytes: number;
  readonly catalog: Catalog;
  readonly reader: NoteReader;
  readonly deliveries: Deliveries;
  readonly guard: RootGuard;
  readonly settings: () => VaultSettings;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
  readonly beforeFirstDelta: () => Promise<void>;
}

/** How often paths that change under a reading are looked at again before they wait for the next sweep. */
const ROUNDS = 3;

/** Brings the catalog to what the disk holds: as a whole, or for some paths. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #skipped = new Map<string, SkipReason>();
  #unreadableFolders = new Set<string>();
  #last: { at: number; tookMs: number; sweepMs: number } | null = null;
  #wholeTail: Promise<unknown> = Promise.resolve();
  #partTail: Promise<unknown> = Promise.resolve();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  get last(): { readonly at: number; readonly tookMs: number; readonly sweepMs: number } | null {
    return this.#last;
  }

  get skipped(): readonly SkippedFile[] {
    return [...this.#skipped]
      .map(([path, reason]) => ({ path, reason }))
      .sort((left, right) => (left.path < right.path ? -1 : 1));
  }

  get unreadableFolders(): readonly string[] {
    return [...this.#unreadableFolders].sort();
  }

  /** Stats the whole folder and takes in what changed; one at a time. */
  whole(): Promise<void> {
    return this.#queue('whole', () => this.#whole());
  }

  /** The same for some paths, beside a sweep of the whole that may be going on. */
  paths(paths: readonly string[]): Promise<void> {
    return this.#queue('part', () => this.#part(paths));
  }

  /** Reads rows again and delivers them, or only describes them anew. Every row when `rows` is null. */
  again(rows: readonly CatalogRow[] | null, unchanged: 'deliver' | 'describe'): Promise<void> {
    return this.#queue('whole', async () => {
      const { catalog, guard } = this.#options;
      if (!guard.check()) return;
      const current = rows === null ? [...catalog.rows()] : rows.flatMap((row) => catalog.byId(row.id) ?? []);
      await this.#take(current.map(wantedOf), [], { unchanged });
    });
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#wholeTail, this.#partTail]);
  }

  #queue(which: 'whole' | 'part', work: () => Promise<void>): Promise<void> {
    const next = (which === 'whole' ? this.#wholeTail : this.#partTail).then(work, work);
    const quiet = next.catch(() => {});
    if (which === 'whole') this.#wholeTail = quiet;
    else this.#partTail = quiet;
    return next;
  }

  async #whole(): Promise<void> {
    const { guard, onProgress, now } = this.#options;
    const started = performance.now();
    if (!guard.check()) return;
    onProgress({ phase: 'listing', done: 0, total: null });
    const findings = await this.#sweep(null);
    const sweepMs = performance.now() - started;
    // Checked after the listing too: a mount that went meanwhile makes every note look deleted.
    const isRootListed = !findings.unreadableFolders.includes('');
    if (!guard.judgeListing(isRootListed ? findings.rootEntries : null)) return;
    this.#skipped.clear();
    for (const [path, reason] of findings.skipped) this.#skipped.set(path, reason);
    this.#unreadableFolders = new Set(findings.unreadableFolders);
    const confirmed = await this.#confirm(findings);
    const total = confirmed.changed.length;
    await this.#settle(confirmed, {
      onProgress: (done) => onProgress({ phase: 'reading', done, total }),
    });
    onProgress({ phase: 'done', done: total, total });
    this.#last = { at: now(), tookMs: performance.now() - started, sweepMs };
  }

  async #part(paths: readonly string[]): Promise<void> {
    const { guard } = this.#options;
    if (!guard.check()) return;
    const findings = await this.#sweep(paths);
    if (!guard.check()) return;
    const scope = new Set(paths);
    const isInScope = (path: string): boolean => scope.has(path) || isBelow(path, scope);
    for (const path of [...this.#skipped.keys()]) if (isInScope(path)) this.#skipped.delete(path);
    for (const path of [...this.#unreadableFolders])
      if (isInScope(path)) this.#unreadableFolders.delete(path);
    for (const [path, reason] of findings.skipped) this.#skipped.set(path, reason);
    for (const path of findings.unreadableFolders) this.#unreadableFolders.add(path);
    await this.#settle(findings, {});
  }

  async #settle(findings: SweepFindings, options: Partial<TakeOptions>): Promise<void> {
    this.#options.catalog.mask(findings.unreachable);
    let again = await this.#take(findings.changed, findings.vanished, options);
    for (let round = 1; round <= ROUNDS && again.length > 0; round += 1) {
      const next = await this.#sweep(again);
      again = await this.#take(next.changed, next.vanished, {});
    }
  }

  /**
   * Looks once more for what a sweep of the whole did not meet: a note may have been made, and taken in by
   * another way, after its folder had been listed.
   */
  async #confirm(findings: SweepFindings): Promise<SweepFindings> {
    if (findings.vanished.length === 0) return findings;
    const second = await this.#sweep(findings.vanished.map((row) => row.diskPath));
    const known = new Set(findings.changed.map((file) => file.path));
    return {
      ...findings,
      vanished: second.vanished,
      unreachable: [...findings.unreachable, ...second.unreachable],
      changed: [...findings.changed, ...second.changed.filter((file) => !known.has(file.path))],
    };
  }

  #sweep(paths: readonly string[] | null): Promise<SweepFindings> {
    const { root, maxBytes, catalog, signal, settings, onProgress } = this.#options;
    return sweepFolder({
      root,
      maxBytes,
      catalog,
      signal,
      dialect: settings().dialect,
      paths,
      ...(paths === null
        ? { onFolder: (done: number) => onProgress({ phase: 'listing', done, total: null }) }
        : {}),
    });
  }

  #take(
    wanted: readonly WantedFile[],
    removals: readonly CatalogRow[],
    options: Partial<TakeOptions>,
  ): Promise<string[]> {
    const { catalog, reader, deliveries, signal, beforeFirstDelta } = this.#options;
    return takeFiles(wanted, removals, {
      catalog,
      reader,
      deliveries,
      signal,
      beforeDelta: beforeFirstDelta,
      onSkip: (path, reason) => {
        if (reason === null) this.#skipped.delete(path);
        else this.#skipped.set(path, reason);
      },
      ...options,
    });
  }
}

function wantedOf(row: CatalogRow): WantedFile {
  return { path: row.path, diskPath: row.diskPath, expected: row, size: row.size };
}
