import type { RetryTimes, SyncProblem } from './contract.ts';

const RETRY: RetryTimes = { firstMs: 30_000, longestMs: 60 * 60_000 };

/** A plan that is put off again and again is put off so many times its delay at most. */
const MOST_DELAYS = 10;

/**
 * When one half of sync, looking at the remote or pushing to it, is due next. After a failure it waits longer each time,
 * whatever else is planned. Times are of `performance.now()`: a clock that is set changes nothing.
 *
 * @example lane.plan(30_000); lane.isDue // false
 */
export class Lane {
  readonly #retry: RetryTimes;
  #due: number | null = null;
  #firstPlanned: number | null = null;
  /** Planned anew since the try under way began: for what came too late for it. */
  #isPlannedAnew = false;
  #notBefore = 0;
  #failures = 0;
  #problem: SyncProblem | null = null;

  constructor(retry: RetryTimes = RETRY) {
    this.#retry = retry;
  }

  /** Null where nothing is planned. */
  get due(): number | null {
    return this.#due;
  }

  get isDue(): boolean {
    return this.#due !== null && this.#due <= performance.now();
  }

  /** Why the last try failed; null since one went well. */
  get problem(): SyncProblem | null {
    return this.#problem;
  }

  /** Plans it for so long from now, also where that is later than before; not before a failure was waited out. */
  plan(delayMs: number): void {
    const now = performance.now();
    this.#firstPlanned ??= now;
    const wanted = Math.min(now + delayMs, this.#firstPlanned + MOST_DELAYS * delayMs);
    this.#due = Math.max(wanted, this.#notBefore);
    this.#isPlannedAnew = true;
  }

  /** A try begins. What is planned from now on stays planned when it goes well. */
  begin(): void {
    this.#firstPlanned = null;
    this.#isPlannedAnew = false;
  }

  /** Nothing is planned any more, and what failed is forgotten. */
  clear(): void {
    this.#isPlannedAnew = false;
    this.succeeded();
  }

  succeeded(): void {
    if (!this.#isPlannedAnew) this.#forgetPlan();
    this.#failures = 0;
    this.#notBefore = 0;
    this.#problem = null;
  }

  /**
   * Plans the next try. `since` of the problem stays while the same one goes on. A try that somebody asked for meanwhile
   * puts the next one off no further.
   */
  failed(problem: SyncProblem, { afterLongest = false, isAskedFor = false } = {}): void {
    this.#problem =
      this.#problem?.code === problem.code ? { ...problem, since: this.#problem.since } : problem;
    if (isAskedFor && this.#failures > 0) return;
    this.#forgetPlan();
    this.#failures += 1;
    const { firstMs, longestMs } = this.#retry;
    const wait = afterLongest
      ? longestMs
      : Math.min(longestMs, firstMs * 2 ** Math.min(this.#failures - 1, 20));
    // Many servers that lost one remote at once do not come back to it all together.
    this.#notBefore = performance.now() + wait * (0.8 + 0.4 * Math.random());
    this.#due = this.#notBefore;
  }

  #forgetPlan(): void {
    this.#due = null;
    this.#firstPlanned = null;
  }
}
