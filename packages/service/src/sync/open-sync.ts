import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, GroveError, isGroveError } from '@grove/core';
import { type GitLocation, type History, setRemote } from '@grove/history';
import type { OwnersWord } from '@grove/vault';
import type { WriteEngine } from '@grove/writes';
import { toErrorPayload } from '../errors/payload.ts';
import type {
  SyncChoice,
  SyncHealth,
  SyncMode,
  SyncProblem,
  SyncReport,
  SyncWish,
  VaultSync,
} from './contract.ts';
import { type Apart, countApart } from './count-apart.ts';
import { Lane } from './lane.ts';
import { NO_REMOTE, type RemoteFacts, remoteFacts, remoteOfVault } from './remote-of-vault.ts';
import { type RunOutcome, runOnce, type SyncHalves, settleHeld } from './run-once.ts';
import { acceptSetBack, keepSeen } from './seen-branch.ts';
import { keepChoice, keepToken, readChoice, readToken, type StoredChoice } from './stored-choice.ts';

/** Of a process that says nothing of it. */
export const NO_SYNC: SyncWish = { mode: null, token: null, pullMs: 0, pushMs: 30_000, byItself: false };

const NOTHING: SyncHalves = { pull: false, push: false };

/** From the start of Grove to its first look at the remote. */
const FIRST_LOOK_MS = 2_000;
/** How long the end of a run that was called off is waited for. */
const CLOSING_MS = 3_000;

export interface OpenSyncOptions {
  readonly stateDir: string;
  /** Null when the vault's history cannot be opened or written. */
  readonly repository: {
    readonly location: GitLocation;
    readonly history: History;
    readonly engine: WriteEngine;
  } | null;
  /** Why there is none, as a sentence. */
  readonly problem: string | null;
  /** Over what a sync brings into the vault's own file. */
  readonly ownersWord: OwnersWord;
  readonly clock: Clock;
  readonly wish: SyncWish;
  /** Copies of conflicts that lie in the vault. */
  readonly conflicts: () => number;
  /** Nothing is done by itself before that. */
  readonly ready: Promise<unknown>;
  /** Hears of each failure once. */
  readonly onProblem: (cause: unknown) => void;
}

/**
 * Keeps a vault level with a git remote: what is committed is pushed a little later, and what the remote has is taken
 * every few minutes. Off unless it was switched on. No write ever waits for it.
 *
 * @example
 * const sync = await openSync(options);
 * (await sync.run()).pushed // true
 */
export async function openSync(options: OpenSyncOptions): Promise<VaultSync> {
  const sync = new Sync(options, await readChoice(options.stateDir));
  const start = (): Promise<void> => sync.begin();
  options.ready.then(start, start);
  return sync;
}

class Sync implements VaultSync {
  readonly #options: OpenSyncOptions;
  readonly #pull: Lane;
  readonly #push: Lane;
  readonly #stop = new AbortController();
  readonly #unfollow: () => void;
  #choice: StoredChoice;
  #facts: RemoteFacts = NO_REMOTE;
  #apart: Apart | null = null;
  #lastPull: number | null = null;
  #lastPush: number | null = null;
  #running: Promise<SyncReport> | null = null;
  /** The run that comes after the one under way. */
  #next: Promise<SyncReport> | null = null;
  /** What that one is to do. */
  #wanted: SyncHalves = NOTHING;
  #last: SyncReport | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isReady = false;

  constructor(options: OpenSyncOptions, choice: StoredChoice) {
    this.#options = options;
    this.#choice = choice;
    this.#pull = new Lane(options.wish.retry);
    this.#push = new Lane(options.wish.retry);
    this.#unfollow = options.repository?.history.onChange(() => this.#committed()) ?? (() => {});
  }

  /** Nothing is done by itself before this. */
  async begin(): Promise<void> {
    this.#isReady = true;
    await this.#settleHeld();
    if (this.#mode === 'off' || !this.#options.wish.byItself) return;
    await this.#lookAround();
    this.#planBoth();
  }

  health(): SyncHealth {
    const mode = this.#mode;
    const dues = [this.#pull.due, this.#push.due].filter((due) => due !== null);
    const next = dues.length === 0 ? null : Math.min(...dues);
    const problem = this.#pull.problem ?? this.#push.problem;
    return {
      mode,
      ...this.#facts,
      state:
        this.#running !== null ? 'running' : mode === 'off' ? 'off' : problem !== null ? 'waiting' : 'idle',
      lastPull: this.#lastPull,
      lastPush: this.#lastPush,
      ahead: this.#apart?.ahead ?? null,
      behind: this.#apart?.behind ?? null,
      conflicts: this.#options.conflicts(),
      problem,
      nextAt: next === null ? null : this.#options.clock.now() + Math.max(0, next - performance.now()),
    };
  }

  async look(): Promise<SyncHealth> {
    await this.#lookAround();
    return this.health();
  }

  run(): Promise<SyncReport> {
    return this.#ask(this.#halves);
  }

  nudge(): void {
    const { pull, push } = this.#halves;
    const halves = { pull, push: push && this.#push.isDue };
    if (halves.pull || halves.push) void this.#ask(halves);
  }

  async accept(): Promise<{ readonly settings: boolean; readonly branch: boolean }> {
    const { ownersWord, repository, stateDir } = this.#options;
    const settings = ownersWord.waiting !== null;
    if (settings) await ownersWord.accept();
    await this.#lookAround();
    const isNamed = this.#facts.remote !== null && this.#facts.branch !== null;
    if (repository === null || !isNamed) return { settings, branch: false };
    const { location, history } = repository;
    const remote = await remoteOfVault(location, history.store, this.#choice.remote);
    return { settings, branch: await acceptSetBack(stateDir, history.store, remote, this.#stop.signal) };
  }

  get last(): SyncReport | null {
    return this.#last;
  }

  async ended(): Promise<SyncReport | null> {
    while (this.#running !== null) await this.#running;
    return this.#last;
  }

  async remarks(): Promise<readonly string[]> {
    if (this.#mode === 'off' || (await this.#token()) !== null) return [];
    return ['No token is stored: only a public repository can be pulled. Store one with: grove sync token'];
  }

  async choose({ mode, remote = this.#choice.remote, url, createBranch }: SyncChoice): Promise<SyncHealth> {
    if (mode !== 'off') {
      const { location, history } = this.#repository();
      if (url !== undefined) await setRemote(location, remote, url);
      const found = await remoteOfVault(location, history.store, remote);
      if (createBranch === true)
        await keepSeen(this.#options.stateDir, found, { tip: null, mayCreate: true });
    }
    this.#choice = { mode, remote };
    await keepChoice(this.#options.stateDir, this.#choice);
    this.#planBoth();
    return await this.look();
  }

  async keepToken(token: string | null): Promise<void> {
    await keepToken(this.#options.stateDir, token);
    // What failed for want of it may go well now.
    this.#planBoth();
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#stop.abort(new GroveError('stopping'));
    this.#arm();
    await Promise.race([this.#running, sleep(CLOSING_MS, undefined, { ref: false })]);
  }

  /** For a pull that was cut off when Grove ended: the start has finished it. */
  async #settleHeld(): Promise<void> {
    const { repository, ownersWord, onProblem } = this.#options;
    if (repository !== null) await settleHeld(repository.engine, ownersWord).catch(onProblem);
  }

  /** Reads which remote there is and how far it is, as was known last. */
  async #lookAround(): Promise<void> {
    const { repository, onProblem } = this.#options;
    if (repository === null) return;
    const { location, history } = repository;
    try {
      // Somebody may have committed with git.
      await history.refresh();
      this.#facts = await remoteFacts(location, history.store, this.#choice.remote);
      const { remote, branch } = this.#facts;
      if (remote === null || branch === null) return;
      const { oid } = await history.store.resolveHead();
      const tip = await history.store.resolveRef(`refs/remotes/${remote}/${branch}`);
      this.#apart = tip === null ? null : await countApart(history.store, oid, tip);
    } catch (cause) {
      this.#apart = null;
      onProblem(cause);
    }
  }

  get #mode(): SyncMode {
    return this.#options.wish.mode ?? this.#choice.mode;
  }

  /** Of a run that is asked for: both, unless one was chosen. */
  get #halves(): SyncHalves {
    return { pull: this.#mode !== 'push', push: this.#mode !== 'pull' };
  }

  async #token(): Promise<string | null> {
    return this.#options.wish.token ?? (await readToken(this.#options.stateDir));
  }

  #repository(): NonNullable<OpenSyncOptions['repository']> {
    const { repository, problem } = this.#options;
    if (repository !== null) return repository;
    throw new GroveError('writes_unavailable', { reason: problem ?? 'its history cannot be written.' });
  }

  #committed(): void {
    if (this.#mode === 'off' || this.#mode === 'pull' || !this.#isReady) return;
    this.#push.plan(this.#options.wish.pushMs);
    this.#arm();
  }

  /** Begins anew: what failed before is tried again. */
  #planBoth(): void {
    this.#pull.clear();
    this.#push.clear();
    if (this.#mode !== 'off' && this.#isReady) {
      const { pullMs, pushMs } = this.#options.wish;
      if (this.#mode === 'push') this.#push.plan(Math.min(FIRST_LOOK_MS, pushMs));
      else if (pullMs > 0) this.#pull.plan(Math.min(FIRST_LOOK_MS, pullMs));
      else if (this.#mode === 'on') this.#push.plan(Math.min(FIRST_LOOK_MS, pushMs));
    }
    this.#arm();
  }

  /** Sets the timer for what is due first. */
  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const dues = [this.#pull.due, this.#push.due].filter((due) => due !== null);
    if (dues.length === 0 || this.#stop.signal.aborted || !this.#options.wish.byItself) return;
    const delay = Math.max(0, Math.min(...dues) - performance.now());
    this.#timer = setTimeout(() => this.#tick(), delay).unref();
  }

  #tick(): void {
    this.#timer = null;
    // Its end sets the timer.
    if (this.#running !== null) return;
    const halves = { pull: this.#pull.isDue, push: this.#push.isDue };
    if (halves.pull || halves.push) void this.#begin(halves, { isAskedFor: false });
    else this.#arm();
  }

  /** Begins a run, or has one more follow on that under way, for all who ask meanwhile. */
  #ask({ pull, push }: SyncHalves): Promise<SyncReport> {
    const isAskedFor = true;
    if (this.#next === null && this.#running === null) return this.#begin({ pull, push }, { isAskedFor });
    this.#wanted = { pull: pull || this.#wanted.pull, push: push || this.#wanted.push };
    this.#next ??= this.#running!.then(() => {
      const wanted = this.#wanted;
      this.#next = null;
      this.#wanted = NOTHING;
      return this.#begin(wanted, { isAskedFor });
    });
    return this.#next;
  }

  #begin(halves: SyncHalves, how: { readonly isAskedFor: boolean }): Promise<SyncReport> {
    if (halves.pull) this.#pull.begin();
    if (halves.push) this.#push.begin();
    this.#running = this.#run(halves, how).then((report) => {
      this.#running = null;
      this.#last = report;
      this.#arm();
      return report;
    });
    return this.#running;
  }

  /** Does not reject. */
  async #run(halves: SyncHalves, how: { readonly isAskedFor: boolean }): Promise<SyncReport> {
    const outcome = await this.#attempt(halves);
    if (this.#stop.signal.aborted) return reportOf(outcome, this.#problemOf(new GroveError('stopping')));
    this.#takeDown(halves, outcome, how);
    const problem = this.#pull.problem ?? this.#push.problem;
    await this.#lookAround();
    this.#planNext(halves);
    return reportOf(outcome, problem);
  }

  async #attempt(halves: SyncHalves): Promise<RunOutcome> {
    try {
      const { location, history, engine } = this.#repository();
      const { store } = history;
      return await runOnce(
        {
          engine,
          location,
          store,
          stateDir: this.#options.stateDir,
          ownersWord: this.#options.ownersWord,
          remote: await remoteOfVault(location, store, this.#choice.remote),
          token: await this.#token(),
          mayPull: this.#halves.pull,
          signal: this.#stop.signal,
        },
        halves,
      );
    } catch (cause) {
      const { pull, push } = halves;
      return {
        pulls: [],
        isPulled: false,
        isPushed: false,
        pullFault: pull ? cause : null,
        pushFault: push && !pull ? cause : null,
      };
    }
  }

  #takeDown(
    halves: SyncHalves,
    { isPulled, isPushed, pullFault, pushFault }: RunOutcome,
    how: { readonly isAskedFor: boolean },
  ): void {
    const now = this.#options.clock.now();
    if (isPulled) this.#lastPull = now;
    if (isPushed) this.#lastPush = now;
    if (pullFault !== null) this.#failed(this.#pull, pullFault, how);
    else if (isPulled) this.#pull.succeeded();
    if (pushFault !== null) this.#failed(this.#push, pushFault, how);
    else if (halves.push && pullFault === null) this.#push.succeeded();
  }

  #failed(lane: Lane, cause: unknown, { isAskedFor }: { readonly isAskedFor: boolean }): void {
    const before = lane.problem;
    const problem = this.#problemOf(cause);
    // Only a person changes the rules of a branch.
    lane.failed(problem, { afterLongest: isGroveError(cause, 'remote_protected'), isAskedFor });
    if (before?.code !== problem.code) this.#options.onProblem(cause);
  }

  #planNext({ push }: SyncHalves): void {
    const mode = this.#mode;
    if (mode === 'off') {
      this.#pull.clear();
      this.#push.clear();
      return;
    }
    const { pullMs } = this.#options.wish;
    if (mode !== 'push' && pullMs > 0 && this.#pull.problem === null) this.#pull.plan(pullMs);
    // Behind a look at the remote, for what was committed while nothing could be pushed.
    const hasMore = this.#apart === null || this.#apart.ahead > 0;
    if (mode !== 'pull' && !push && hasMore && this.#pull.problem === null && this.#push.due === null)
      this.#push.plan(0);
  }

  #problemOf(cause: unknown): SyncProblem {
    const { code, message, next } = toErrorPayload(cause);
    return { code, message, hint: next, since: this.#options.clock.now() };
  }
}

function reportOf({ pulls, isPushed }: RunOutcome, problem: SyncProblem | null): SyncReport {
  const last = pulls.at(-1);
  return {
    pulled:
      pulls.find(({ kind }) => kind === 'merged' || kind === 'fast_forward')?.kind ?? last?.kind ?? null,
    changed: [...new Set(pulls.flatMap(({ changed }) => changed))],
    conflicts: pulls.flatMap(({ conflicts }) => conflicts),
    pushed: isPushed,
    problem,
  };
}
