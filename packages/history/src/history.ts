import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isSqliteDamage, Slices } from '@grove/core';
import type { GitFileTimes, GitTimes } from '@grove/vault';
import { type GitStore, openGitStore } from './git-store.ts';
import type { GitLocation } from './repository/location.ts';
import { openDatabase, removeDatabase } from './times/database.ts';
import { updateHeadNotes } from './times/head-notes.ts';
import { KnownNotes } from './times/known-notes.ts';
import { type LogOptions, type LogPage, noteLog, vaultLog } from './times/log.ts';
import type { MadeCommit } from './times/made-commit.ts';
import { recordCommit, refoldStale, removeUnfinished } from './times/record-commit.ts';
import { HistoryRows } from './times/rows.ts';
import { unindexedCommits } from './times/unindexed-commits.ts';
import { removeUnreachable } from './times/unreachable-commits.ts';
import { changesAny, type WalkEntry, type WalkOptions, walkLog } from './times/walk.ts';

export interface HistoryOptions {
  readonly location: GitLocation;
  /** Folder of derived data, `<stateDir>/index`; the file in it is `history.db`. */
  readonly dir: string;
}

export interface HistoryProgress {
  readonly phase: 'commits' | 'idle';
  /** Commits taken up. */
  readonly done: number;
  /** Null until they are counted. */
  readonly total: number | null;
}

export interface HistoryStatus extends HistoryProgress {
  readonly ready: boolean;
  /** The commit up to which times are known. */
  readonly tip: string | null;
  /** Why times are not up to date, for the owner; tried again at the next refresh. */
  readonly problem: string | null;
  /** Why the derived file was made anew since it was opened, when it was. */
  readonly rebuilt: string | null;
}

const DAMAGED = 'it was damaged while running';
// Commits are read twice: once to find them, once to take them up.
const LONG_READS = 400;
// From here on reading all notes is cheaper than reading each one.
const MANY = 2000;

/**
 * Opens a repository with its derived history and starts to bring that up to date in the background; does
 * not wait for it. Throws `repository_unreadable` for a repository that cannot be read soundly.
 *
 * @example
 * const history = await openHistory({ location, dir: `${stateDir}/index` });
 * const vault = await openVault({ ...options, times: history });
 */
export async function openHistory(options: HistoryOptions): Promise<History> {
  return new History(await openGitStore(options.location), join(options.dir, 'history.db'));
}

/**
 * Times, log and HEAD blobs of a vault's notes, from a derived index of which commit changed which note: no
 * walk through the log per call. The index can be deleted at any time.
 */
export class History implements GitTimes, AsyncDisposable {
  readonly store: GitStore;
  readonly #file: string;
  #known = new KnownNotes();
  readonly #listeners = new Set<() => void>();
  readonly #progressListeners = new Set<(progress: HistoryProgress) => void>();
  readonly #stop = new AbortController();
  #db: DatabaseSync;
  #rows: HistoryRows;
  #ready = false;
  #tip: string | null = null;
  /** What is in memory belongs to a file that is no more, or to none yet. */
  #reload = true;
  #renames: { readonly tip: string | null; readonly all: readonly [string, string][] } | null = null;
  #running: Promise<void> | null = null;
  /** Resolved once a run turns out to be long. */
  #long = Promise.withResolvers<void>();
  #again = false;
  #progress: HistoryProgress = { phase: 'commits', done: 0, total: null };
  #problem: string | null = null;
  #rebuilt: string | null;

  constructor(store: GitStore, file: string) {
    this.store = store;
    this.#file = file;
    const { db, rebuilt } = openDatabase(file, store.location.prefix);
    this.#db = db;
    this.#rows = new HistoryRows(db);
    this.#rebuilt = rebuilt;
    void this.refresh();
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** See {@link GitTimes.times}; null also for a note that only mechanical commits touched. */
  times(path: string): GitFileTimes | null {
    return this.#known.get(path)?.times ?? null;
  }

  /** Blob id of the path at the last seen HEAD, or null. */
  headBlob(path: string): string | null {
    return this.#known.get(path)?.blob ?? null;
  }

  /** Path, as git spells it, and blob id of every note at the last seen HEAD. */
  headNotes(): Iterable<[path: string, blob: string]> {
    return this.#known.blobs();
  }

  /**
   * Takes commits that were just made on HEAD for taken up, until the next {@link refresh} does that: times and HEAD
   * blobs of their notes are right at once, at no cost. Where one takes a note away, which may be a move, it refreshes.
   */
  async foresee(commits: readonly MadeCommit[]): Promise<void> {
    if (commits.some(({ notes }) => notes.some(({ blob }) => blob === null))) await this.refresh();
    else if (this.#ready) for (const commit of commits) this.#known.foresee(this.#rows, commit);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onProgress(listener: (progress: HistoryProgress) => void): () => void {
    this.#progressListeners.add(listener);
    return () => this.#progressListeners.delete(listener);
  }

  /**
   * Looks whether HEAD moved. Resolves when what is new was taken up, or has failed: the reason is then in
   * {@link status}. Does not wait for long work, which is the first run and more than some hundred commits:
   * that goes on behind it, and {@link caughtUp} waits for it. Costs three small file reads when nothing
   * moved. Calls that overlap share a run.
   */
  refresh(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    this.#again = true;
    if (this.#running === null) {
      this.#long = Promise.withResolvers();
      this.#running = this.#run().finally(() => {
        this.#running = null;
      });
    }
    return Promise.race([this.#running, this.#long.promise]);
  }

  /** Resolves when everything that was seen so far is taken up, or has failed. */
  async caughtUp(): Promise<void> {
    await this.#running;
  }

  status(): HistoryStatus {
    return {
      ...this.#progress,
      ready: this.#ready,
      tip: this.#tip,
      problem: this.#problem,
      rebuilt: this.#rebuilt,
    };
  }

  /**
   * Commits that changed a note (through renames without changes), or any note when `path` is null, newest
   * first. Knows what has been taken up so far. Throws `bad_cursor`.
   */
  log(path: string | null, options: LogOptions = {}): LogPage {
    return path === null ? vaultLog(this.#rows, options) : noteLog(this.#rows, path, options);
  }

  /**
   * As {@link log}, one entry after another, and only what may be shown. Knows what has been taken up so far.
   * Throws `bad_cursor`.
   */
  walk(options: WalkOptions): AsyncGenerator<WalkEntry> {
    return walkLog(() => this.#rows, options);
  }

  /**
   * Commits whose id begins with `prefix` (4 to 40 hex digits), each with its place in the history: a parent's
   * is lower than its children's. At most `limit`.
   */
  commitsNamed(
    prefix: string,
    limit: number,
  ): readonly { readonly commit: string; readonly time: number; readonly place: number }[] {
    if (!/^[0-9a-f]{4,40}$/i.test(prefix)) return [];
    return this.#rows.commitsNamed(prefix.toLowerCase(), limit).flatMap((oid) => {
      const row = this.#rows.commit(oid);
      return row === null ? [] : [{ commit: oid, time: row.time, place: row.seq }];
    });
  }

  /** True when the commit changed a note whose path `isShown` lets through. */
  async changesAny(commit: string, isShown: (path: string) => boolean): Promise<boolean> {
    return changesAny(() => this.#rows, commit, isShown);
  }

  /** Former and new path of every note that was renamed, the oldest first; knows what has been taken up so far. */
  renames(): readonly (readonly [former: string, path: string])[] {
    if (this.#renames?.tip !== this.#tip) this.#renames = { tip: this.#tip, all: this.#rows.renames() };
    return this.#renames.all;
  }

  /** Ends the background work and closes the files. What was done stays done. */
  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    await this.#running;
    this.#db.close();
    await this.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false;
      if (!this.#ready) this.#long.resolve();
      try {
        if (!existsSync(this.#file)) this.#startAnew('it was removed while running');
        await this.#catchUp();
        this.#problem = null;
        this.#report({ ...this.#progress, phase: 'idle' });
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#progress = { ...this.#progress, phase: 'idle' };
        this.#problem = error instanceof Error ? error.message : String(error);
        if (!isSqliteDamage(error) || this.#rebuilt === DAMAGED) continue;
        this.#startAnew(DAMAGED);
        this.#again = true;
      }
    }
  }

  /** What is in memory stays until the new file knows better. */
  #startAnew(reason: string): void {
    this.#db.close();
    removeDatabase(this.#file);
    this.#db = openDatabase(this.#file, this.store.location.prefix).db;
    this.#rows = new HistoryRows(this.#db);
    this.#rebuilt = reason;
    this.#reload = true;
  }

  async #catchUp(): Promise<void> {
    const rows = this.#rows;
    const slices = new Slices(this.#stop.signal);
    const touched = new Set<number>();
    await removeUnfinished(rows, slices);
    await refoldStale(rows, touched, slices);
    // What an earlier run left can be served before it is up to date.
    if (!this.#ready && rows.meta('tip') !== null) await this.#load(rows, slices);
    const { oid: tip } = await this.store.resolveHead();
    const shallow = await this.store.shallowCommits();
    const border = [...shallow].sort().join(' ') || null;
    if (rows.meta('shallow') !== border) {
      // Commits at the former border were taken for first ones.
      await removeUnreachable(rows, [], slices);
      rows.setMeta('tip', null);
      rows.setMeta('shallow', border);
    }
    if (!this.#ready || rows.meta('tip') !== tip || rows.meta('target') !== tip) {
      await this.#takeUp(tip, shallow, touched, slices);
    }
    if (this.#reload || touched.size > MANY) await this.#load(rows, slices);
    else await this.#known.update(rows, touched, slices);
    const changed = touched.size > 0 || !this.#ready;
    this.#ready = true;
    this.#tip = tip;
    if (changed) for (const listener of this.#listeners) listener();
  }

  async #load(rows: HistoryRows, slices: Slices): Promise<void> {
    const known = new KnownNotes();
    await known.load(rows, slices);
    this.#known = known;
    this.#reload = false;
  }

  async #takeUp(
    tip: string | null,
    shallow: ReadonlySet<string>,
    touched: Set<number>,
    slices: Slices,
  ): Promise<void> {
    const rows = this.#rows;
    const store = this.store;
    let reads = 0;
    const read = async (oid: string) => {
      if (++reads === LONG_READS) this.#long.resolve();
      const commit = await store.readCommit(oid);
      return shallow.has(oid) ? { ...commit, parents: [] } : commit;
    };
    const target = rows.meta('target');
    const { order, known } =
      tip === null
        ? { order: [], known: new Set<string>() }
        : await unindexedCommits(tip, read, (oid) => rows.hasCommit(oid), slices);
    if (target !== null && !known.has(target) && !order.includes(target)) {
      await removeUnreachable(rows, known, slices);
    }
    await refoldStale(rows, touched, slices);
    rows.setMeta('target', tip);
    this.#report({ phase: 'commits', done: 0, total: order.length });
    for (const [i, oid] of order.entries()) {
      const commit = await read(oid);
      await recordCommit(store, rows, commit, commit.parents, touched, slices);
      if (!slices.spent) continue;
      this.#report({ phase: 'commits', done: i + 1, total: order.length });
      await slices.rest();
    }
    const tree = tip === null ? null : await store.treeAt(tip);
    await updateHeadNotes((oid) => store.treeBytes(oid), rows, tree, touched, slices);
    rows.setMeta('tip', tip);
    this.#report({ phase: 'commits', done: order.length, total: order.length });
  }

  #report(progress: HistoryProgress): void {
    this.#progress = progress;
    for (const listener of this.#progressListeners) listener(progress);
  }
}
