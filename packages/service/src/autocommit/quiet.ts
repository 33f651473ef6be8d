/** How long nothing may have happened before work is done, and how long it is put off at most. Milliseconds. */
export interface QuietTimes {
  readonly quietMs: number;
  readonly longestMs: number;
}

const TIMES: QuietTimes = { quietMs: 30_000, longestMs: 10 * 60_000 };

/**
 * Does work once it has been quiet for a while, and after the longest wait where it never is. Work that fails is done
 * again, after a wait that doubles up to the longest. The timer does not keep the process alive.
 *
 * @example const quiet = new Quiet(async () => (await commit(), true)); quiet.touch();
 */
export class Quiet {
  readonly #work: () => Promise<boolean>;
  readonly #times: QuietTimes;
  #timer: NodeJS.Timeout | null = null;
  #firstTouch: number | null = null;
  #failures = 0;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `work` answers false when it is to be done again; it does not reject. */
  constructor(work: () => Promise<boolean>, times: QuietTimes = TIMES) {
    this.#work = work;
    this.#times = times;
  }

  /** Something happened. */
  touch(): void {
    if (this.#stopped) return;
    const now = performance.now();
    this.#firstTouch ??= now;
    const { quietMs, longestMs } = this.#times;
    this.#plan(Math.min(quietMs, Math.max(0, this.#firstTouch + longestMs - now)));
  }

  /** Does the work at once. */
  hurry(): void {
    if (!this.#stopped) this.#plan(0);
  }

  /** Resolves when nothing is under way; nothing is begun any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(delay: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#firstTouch = null;
      this.#running = this.#running.then(() => this.#run());
    }, delay).unref();
  }

  async #run(): Promise<void> {
    if (this.#stopped) return;
    const isDone = await this.#work();
    this.#failures = isDone ? 0 : this.#failures + 1;
    if (isDone || this.#stopped || this.#timer !== null) return;
    const { quietMs, longestMs } = this.#times;
    this.#plan(Math.min(longestMs, quietMs * 2 ** Math.min(this.#failures, 10)));
  }
}
