import { eventlessMount, type FileEvents, watchFileEvents } from './file-events.ts';

export interface FreshnessOptions {
  readonly root: string;
  /** True: never use events. A number: the shortest time between two sweeps when polling, in milliseconds. */
  readonly poll: boolean | number;
  readonly reconcile: (paths: readonly string[] | null) => Promise<void>;
  /** What the last sweep of the whole cost, in milliseconds. */
  readonly sweepCost: () => number;
  /** Called every few seconds: a cheap look at the root, the git dir and the settings. */
  readonly glance: () => Promise<void>;
}

/** How the folder is kept up with. */
export interface Watching {
  readonly mode: 'events' | 'poll';
  readonly problem: string | null;
  /** Within this many milliseconds a change outside is seen. */
  readonly boundMs: number;
}

const DEBOUNCE_MS = 100;
/** Longest time that a stream of events puts off the reconcile. */
const MAX_WAIT_MS = 500;
/** More paths than this are cheaper to see by a sweep. */
const MAX_PATHS = 1_000;
const SWEEP_MS = 60_000;
const POLL_MS = 10_000;
const GLANCE_MS = 5_000;
/** A sweep may take at most a hundredth of the time. */
const COST_FACTOR = 100;

/** Keeps the catalog up with the folder: by events and a sweep now and then, or by sweeps alone. */
export class Freshness {
  readonly #options: FreshnessOptions;
  #events: FileEvents | null = null;
  #problem: string | null = null;
  #touched = new Set<string>();
  #isAllTouched = false;
  #firstTouch = 0;
  #debounce: NodeJS.Timeout | null = null;
  #sweep: NodeJS.Timeout | null = null;
  #glance: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isStarting = false;

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  get watching(): Watching {
    return this.#events === null && !this.#isStarting
      ? { mode: 'poll', problem: this.#problem, boundMs: this.#sweepDelay() }
      : { mode: 'events', problem: null, boundMs: 2_000 };
  }

  /** Begins to watch, which takes its time in a large folder; then what changed meanwhile is swept for. */
  async start(): Promise<void> {
    if (this.#options.poll === false) {
      this.#isStarting = true;
      await this.#listen();
      this.#isStarting = false;
      if (this.#events !== null) this.#lose();
    }
    this.#planSweep();
    this.#planGlance();
  }

  /** Has these paths looked at soon. */
  touch(paths: readonly string[]): void {
    if (this.#isStopped) return;
    for (const path of paths) this.#touched.add(path);
    if (this.#touched.size > MAX_PATHS) this.#isAllTouched = true;
    if (this.#debounce === null) this.#firstTouch = performance.now();
    else clearTimeout(this.#debounce);
    const waited = performance.now() - this.#firstTouch;
    this.#debounce = timer(Math.max(0, Math.min(DEBOUNCE_MS, MAX_WAIT_MS - waited)), () => this.#settle());
  }

  /** A folder that went and came back is watched anew, for the system dropped the watch with it, and swept. */
  async restart(): Promise<void> {
    if (this.#isStopped) return;
    if (this.#options.poll === false) {
      await this.#events?.stop();
      this.#events = null;
      await this.#listen();
    }
    this.#lose();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const pending of [this.#debounce, this.#sweep, this.#glance])
      if (pending !== null) clearTimeout(pending);
    await this.#events?.stop();
    this.#events = null;
    await this.#work;
  }

  async #listen(): Promise<void> {
    try {
      this.#problem = await eventlessMount(this.#options.root);
      if (this.#problem !== null) return;
      const events = await watchFileEvents({
        root: this.#options.root,
        onPaths: (paths) => this.#hear(paths),
        onLost: () => this.#lose(),
      });
      if (this.#isStopped) await events.stop();
      else this.#events = events;
    } catch (error) {
      // Whatever the reason (ENOSPC, EMFILE, no backend): sweeps do the work, and the owner is told.
      const message = error instanceof Error ? error.message : String(error);
      this.#problem = `The folder cannot be watched (${message}); it is swept instead.`;
    }
  }

  #hear(paths: readonly string[]): void {
    // The folder itself is named when it goes: a sweep tells what that means.
    if (paths.includes('')) this.#isAllTouched = true;
    this.touch(paths.filter((path) => path !== '' && !path.startsWith('../')));
  }

  #lose(): void {
    this.#isAllTouched = true;
    this.touch([]);
  }

  #settle(): void {
    this.#debounce = null;
    const paths = this.#isAllTouched ? null : [...this.#touched];
    this.#touched = new Set();
    this.#isAllTouched = false;
    if (paths !== null && paths.length === 0) return;
    this.#run(async () => {
      try {
        await this.#options.reconcile(paths);
      } catch (error) {
        // Looked at again after the next glance.
        for (const path of paths ?? []) this.#touched.add(path);
        throw error;
      }
    });
  }

  /** One after another, so that a burst does not pile up sweeps. The work tells its failures itself. */
  #run(work: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (!this.#isStopped) await work().catch(() => {});
    });
  }

  #sweepDelay(): number {
    const { poll, sweepCost } = this.#options;
    const least = this.#events !== null ? SWEEP_MS : typeof poll === 'number' ? poll : POLL_MS;
    return Math.max(least, Math.ceil(sweepCost() * COST_FACTOR));
  }

  #planSweep(): void {
    if (this.#isStopped) return;
    this.#sweep = timer(this.#sweepDelay(), () => {
      this.#run(() => this.#options.reconcile(null).finally(() => this.#planSweep()));
    });
  }

  #planGlance(): void {
    if (this.#isStopped) return;
    const { poll, glance } = this.#options;
    this.#glance = timer(typeof poll === 'number' ? Math.min(poll, GLANCE_MS) : GLANCE_MS, () => {
      this.#run(() => glance().finally(() => this.#glanced()));
    });
  }

  #glanced(): void {
    if (this.#debounce === null && this.#touched.size > 0) this.touch([]);
    this.#planGlance();
  }
}

/** A timer that does not keep the process alive. */
function timer(ms: number, work: () => void): NodeJS.Timeout {
  return setTimeout(work, ms).unref();
}
