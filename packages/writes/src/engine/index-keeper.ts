import { setTimeout as sleep } from 'node:timers/promises';
import type { GitWriter, IndexChange, IndexLock } from '@grove/history';

/** Longest time that git's index stays locked while writes come one after another, in milliseconds. */
const HOLD_MS = 100;
/** How long the lock is kept for a write that follows at once; a shell's git starts up in about that time. */
const LINGER_MS = 5;
/** How long others have it to themselves after it was held for so long as is allowed. */
const PAUSE_MS = 25;
const WAIT_MS = 2_000;

/** Makes entries for these paths (as the disk spells them) by what HEAD and the disk are now. */
export type EntryMaker = (diskPaths: readonly string[]) => Promise<readonly IndexChange[]>;

/**
 * Git's index of the vault. Its lock is taken before HEAD is read and held until the entries of the write are in:
 * an index that is stale behind a moved HEAD would make a shell's next commit take the change back. Writes that
 * follow each other at once share one lock and one splice; but git gives up at once where it meets the lock, so that
 * between two of them there is a pause for whoever else wants to commit.
 */
export class IndexKeeper {
  readonly #git: GitWriter;
  readonly #remake: EntryMaker;
  #lock: { readonly lock: IndexLock; readonly takenAt: number } | null = null;
  #lingering: NodeJS.Timeout | null = null;
  /** When the pause for others ends, on the clock of `performance.now()`. */
  #pauseEnd = 0;
  #pending = new Map<string, IndexChange>();
  /** The pending entries missed their lock: others may have changed HEAD and the index since. */
  #missed = false;
  #inUse = false;
  #flushing: Promise<void> = Promise.resolve();
  /** Counts what was added, and how much of that is in. */
  #added = 0;
  #done = 0;
  #waiting: (() => void)[] = [];

  constructor(git: GitWriter, remake: EntryMaker) {
    this.#git = git;
    this.#remake = remake;
  }

  /** Takes the lock for one write. Throws `git_busy`. */
  async acquire(): Promise<void> {
    if (this.#isHeldLong()) this.#flush().catch(() => {});
    // A failure was told to whoever flushed; its entries are still pending.
    await this.#flushing.catch(() => {});
    if (this.#lock === null) {
      const pause = this.#pauseEnd - performance.now();
      if (pause > 0) await sleep(pause);
      this.#lock = { lock: await this.#git.lockIndex(WAIT_MS), takenAt: performance.now() };
    }
    this.#inUse = true;
  }

  /** What the write changed; later entries of a path replace earlier ones. */
  add(entries: readonly IndexChange[]): void {
    if (entries.length > 0) this.#added += 1;
    for (const entry of entries) this.#pending.set(entry.path, entry);
  }

  /** Entries of writes whose lock is long gone: they are made anew when they go in. */
  addMissed(entries: readonly IndexChange[]): void {
    this.add(entries);
    if (entries.length > 0) this.#missed = true;
  }

  /**
   * The write is done with HEAD. What it changed goes into the index a little later, so that a write which follows
   * at once goes on with the lock.
   */
  async release(): Promise<void> {
    if (!this.#inUse) return;
    this.#inUse = false;
    // Whoever waits for the entries hears of a failure.
    if (this.#pending.size === 0) await this.#flush().catch(() => {});
    else
      this.#lingering ??= setTimeout(() => {
        this.#lingering = null;
        this.#flush().catch(() => {});
      }, LINGER_MS);
  }

  /** Resolves when all that was added so far is in the index, and the lock given back if nobody uses it. */
  async whenIn(): Promise<void> {
    const wanted = this.#added;
    do {
      if (this.#inUse) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else await this.#flush();
    } while (this.#done < wanted);
  }

  #isHeldLong(): boolean {
    return this.#lock !== null && performance.now() - this.#lock.takenAt >= HOLD_MS;
  }

  #flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => this.#flushNow());
    return this.#flushing;
  }

  async #flushNow(): Promise<void> {
    if (this.#inUse) return;
    if (this.#lingering !== null) clearTimeout(this.#lingering);
    this.#lingering = null;
    if (this.#lock === null && this.#pending.size === 0) return;
    const wasHeldLong = this.#isHeldLong();
    const lock = this.#lock?.lock ?? (await this.#git.lockIndex(WAIT_MS));
    this.#lock = null;
    const entries = this.#pending;
    const upTo = this.#added;
    this.#pending = new Map();
    try {
      if (entries.size > 0)
        await lock.commit(this.#missed ? await this.#remake([...entries.keys()]) : [...entries.values()]);
      this.#missed = false;
      this.#done = upTo;
    } catch (error) {
      for (const [path, entry] of entries) if (!this.#pending.has(path)) this.#pending.set(path, entry);
      this.#missed = true;
      throw error;
    } finally {
      try {
        await lock.release();
      } finally {
        if (wasHeldLong) this.#pauseEnd = performance.now() + PAUSE_MS;
        for (const resolve of this.#waiting.splice(0)) resolve();
      }
    }
  }
}
