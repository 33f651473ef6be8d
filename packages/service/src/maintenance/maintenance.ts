import { type Clock, GroveError } from '@grove/core';
import {
  type GitDirState,
  type GitLocation,
  type PackingOutcome,
  packObjects,
  readGitDirState,
} from '@grove/history';
import { Quiet, type QuietTimes } from '../autocommit/quiet.ts';

/** Keeps a vault's git dir small. */
export interface Maintenance {
  /** As it was counted within the last minute; null where it cannot be counted, which is told. */
  state(): Promise<MaintenanceState | null>;
  /**
   * Packs now, whatever is switched on; a packing under way is waited for first.
   *
   * @throws GroveError `repository_unreadable`, `repository_full`, `repository_unwritable`
   */
  run(onProgress?: (done: number, total: number) => void): Promise<MaintainOutcome>;
  /** Something was committed or switched: when it stays quiet, what there is to pack is packed. */
  touch(): void;
  /** Calls off what is under way; nothing is lost by it. */
  close(): Promise<void>;
}

/** How the git dir stands, for the owner. */
export interface MaintenanceState extends GitDirState {
  /** Whether loose objects are packed by themselves. */
  readonly isOn: boolean;
  /** True when there are so many loose objects that they are packed at the next quiet moment. */
  readonly isDue: boolean;
  /** Why the last packing failed or was not done, as a sentence, or null. */
  readonly problem: string | null;
}

/** What was done by hand, and how the git dir stood before and after. */
export interface MaintainOutcome extends PackingOutcome {
  readonly before: GitDirState;
  readonly after: GitDirState;
}

/** When it packs by itself. */
export interface MaintenancePace extends QuietTimes {
  /** Of so many loose objects on. */
  readonly manyLoose: number;
}

export interface MaintenanceOptions {
  readonly location: GitLocation;
  readonly clock: Clock;
  /** Whether it is to be done without being asked, now. */
  readonly isOn: () => boolean;
  /** Resolves when what was acknowledged is synced. */
  readonly settled: () => Promise<void>;
  readonly pace?: MaintenancePace;
  /** Hears of a packing that failed. */
  readonly onProblem: (cause: unknown) => void;
}

// git packs from 6,700 on (gc.auto), of objects that are smaller than the trees of a folder of many notes.
const PACE: MaintenancePace = { quietMs: 60_000, longestMs: 10 * 60_000, manyLoose: 2000 };
const COUNT_HOLDS_MS = 60_000;

/**
 * Packs loose objects by itself once a minute went by without a commit (and at the latest ten minutes after the first), when
 * there are many; see `packObjects` for what that does and leaves alone.
 *
 * @example
 * const maintenance = openMaintenance({ location, clock, isOn: () => true, settled, onProblem });
 * history.onChange(() => maintenance.touch());
 */
export function openMaintenance(options: MaintenanceOptions): Maintenance {
  const { location, clock, pace = PACE } = options;
  const stop = new AbortController();
  let counted: { readonly at: number; readonly state: Promise<GitDirState> } | null = null;
  let problem: string | null = null;
  let running: Promise<unknown> = Promise.resolve();

  const count = (): Promise<GitDirState> => {
    const state = readGitDirState(location);
    const mine = { at: performance.now(), state };
    counted = mine;
    // One that failed is not kept; whoever asked hears of it.
    state.catch(() => {
      if (counted === mine) counted = null;
    });
    return state;
  };
  const pack = (isAutomatic: boolean, onProgress?: (done: number, total: number) => void) =>
    packObjects(location, {
      clock,
      isAutomatic,
      signal: stop.signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  const packByItself = async (): Promise<boolean> => {
    try {
      if (!options.isOn() || (await count()).looseObjects < pace.manyLoose) return true;
      await options.settled();
      problem = (await pack(true)).declined;
      counted = null;
      return true;
    } catch (cause) {
      if (stop.signal.aborted) return true;
      problem = cause instanceof Error ? cause.message : String(cause);
      options.onProblem(cause);
      return false;
    }
  };
  /** One after the other: `gc.pid` keeps processes apart, not calls in one. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = running.then(work);
    running = result.catch(() => {});
    return result;
  };
  const quiet = new Quiet(() => inTurn(packByItself), pace);
  quiet.touch();

  return {
    async state() {
      const isFresh = counted !== null && performance.now() - counted.at < COUNT_HOLDS_MS;
      const state = await (isFresh && counted !== null ? counted.state : count()).catch((cause: unknown) => {
        // Nobody's question about the vault may fail for it.
        options.onProblem(cause);
        return null;
      });
      if (state === null) return null;
      return { ...state, isOn: options.isOn(), isDue: state.looseObjects >= pace.manyLoose, problem };
    },
    run: (onProgress) =>
      inTurn(async () => {
        const before = await count();
        await options.settled();
        const outcome = await pack(false, onProgress);
        problem = null;
        return { ...outcome, before, after: await count() };
      }),
    touch: () => quiet.touch(),
    close: async () => {
      stop.abort(new GroveError('stopping'));
      await quiet.stop();
      await running;
    },
  };
}
