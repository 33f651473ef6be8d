import { z } from 'zod';
import { clip, isoTime } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import type { SyncHealth, SyncProblem, SyncReport } from './contract.ts';

const CHANGED_BYTES = 8 * 1024;
const CONFLICTS_BYTES = 6 * 1024;

const problemShape = z.object({
  code: z.string(),
  message: z.string(),
  /** What to do. */
  hint: z.string(),
  since: z.string(),
});

/** How sync stands; absent is what is not known. */
export const syncShape = z.object({
  mode: z.enum(['off', 'on', 'pull', 'push']),
  state: z.enum(['off', 'idle', 'running', 'waiting']),
  remote: z.string().optional(),
  url: z.string().optional(),
  host: z.string().optional(),
  branch: z.string().optional(),
  last_pull: z.string().optional(),
  last_push: z.string().optional(),
  /** Commits that the remote lacks, and those that this vault lacks. */
  ahead: z.int().optional(),
  behind: z.int().optional(),
  /** Copies of conflicts that are not settled. */
  conflicts: z.int(),
  problem: problemShape.optional(),
  next_at: z.string().optional(),
});

export const reportShape = z.object({
  pulled: z.enum(['up_to_date', 'ahead', 'fast_forward', 'merged']).optional(),
  pushed: z.boolean(),
  /** Files that came, changed or went; the list may hold only the first. */
  changed: z.array(z.string()),
  changed_total: z.int(),
  conflicts: z.array(
    z.object({
      path: z.string(),
      /** Where the version of the remote was put; absent where it has none. */
      saved: z.string().optional(),
      why: z.enum(['lines', 'deleted_here', 'deleted_there', 'binary', 'kinds']),
    }),
  ),
  conflicts_total: z.int(),
  problem: problemShape.optional(),
});

export const syncOutput = z.object({
  vault: z.string(),
  sync: syncShape,
  /** What the run did; absent where none was asked for, and while it goes on. */
  run: reportShape.optional(),
  /** What the last one did, where this call is about none. */
  last_run: reportShape.optional(),
  remarks: z.array(z.string()),
});

export type SyncAnswer = z.infer<typeof syncOutput>;

export type SyncState = z.infer<typeof syncShape>;
export type SyncRunAnswer = z.infer<typeof reportShape>;

/** Health of sync as it is told. */
export function syncState(scope: Scope, health: SyncHealth): SyncState {
  const { mode, state, remote, url, host, branch, ahead, behind, conflicts } = health;
  const time = (millis: number | null): string | null => (millis === null ? null : isoTime(scope, millis));
  const problem = health.problem === null ? null : problemOf(scope, health.problem);
  return {
    mode,
    state,
    conflicts,
    ...known({ remote, url: url === null ? null : clip(url, 500), host, branch, ahead, behind, problem }),
    ...known({
      last_pull: time(health.lastPull),
      last_push: time(health.lastPush),
      next_at: time(health.nextAt),
    }),
  };
}

/** What a run did, as it is told. */
export function runAnswer(
  scope: Scope,
  { pulled, pushed, changed, conflicts, problem }: SyncReport,
): SyncRunAnswer {
  // Of what the process policy keeps from everybody nobody hears.
  const all = changed.filter((path) => scope.mayName(path));
  const both = conflicts.filter(({ path }) => scope.mayName(path));
  const named = all.map((path) => clip(path, 300));
  const told = both.map(({ path, saved, why }) => ({
    path: clip(path, 300),
    ...(saved === null ? {} : { saved: clip(saved, 300) }),
    why,
  }));
  return {
    pushed,
    changed: [...fillPage(named, CHANGED_BYTES).items],
    changed_total: all.length,
    conflicts: [...fillPage(told, CONFLICTS_BYTES).items],
    conflicts_total: both.length,
    ...known({ pulled, problem: problem === null ? null : problemOf(scope, problem) }),
  };
}

function problemOf(scope: Scope, { code, message, hint, since }: SyncProblem): z.infer<typeof problemShape> {
  return { code, message, hint, since: isoTime(scope, since) };
}

/** Without what is null. */
function known<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
}
