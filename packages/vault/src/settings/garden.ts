import { isGroveError } from '@grove/core';
import * as z from 'zod';
import type { PathRule } from '../view.ts';
import { parsePathRule } from '../views/path-rule.ts';

/** When a note is of which stage. `age`, `touched` and `untouched` are days, `words` and `backlinks` counts. */
export interface StageThresholds {
  /** At most this old, with fewer words and fewer backlinks. */
  readonly seed: { readonly age: number; readonly words: number; readonly backlinks: number };
  /** At most this old, with fewer backlinks. */
  readonly sprout: { readonly age: number; readonly backlinks: number };
  /** Touched less than this ago; or at most this old, with more backlinks. */
  readonly growing: { readonly touched: number; readonly age: number; readonly backlinks: number };
  /** Older than this, with at least these backlinks, untouched for at least this long. */
  readonly mature: { readonly age: number; readonly backlinks: number; readonly untouched: number };
  /** Untouched for at least this long, with fewer backlinks. */
  readonly withering: { readonly untouched: number; readonly backlinks: number };
  /** Untouched for at least this long. */
  readonly dormant: { readonly untouched: number };
}

/** How the owner wants notes to be staged. */
export interface GardenSettings {
  readonly stages: StageThresholds;
  /** Notes that have no stage, by folder or glob. */
  readonly leaveOut: readonly PathRule[];
  /** Where notes wait to be put in their place; null where the owner does not say. */
  readonly inbox: readonly PathRule[] | null;
  /** Days after which a note of the inbox has waited for long. */
  readonly inboxDays: number;
}

const DEFAULTS: StageThresholds = {
  seed: { age: 7, words: 200, backlinks: 3 },
  sprout: { age: 30, backlinks: 3 },
  growing: { touched: 30, age: 90, backlinks: 3 },
  mature: { age: 180, backlinks: 5, untouched: 30 },
  withering: { untouched: 180, backlinks: 2 },
  dormant: { untouched: 180 },
};

/** For a vault whose owner says nothing of stages. */
export const PLAIN_GARDEN: GardenSettings = {
  stages: DEFAULTS,
  leaveOut: [],
  inbox: null,
  inboxDays: 14,
};

const MOST_RULES = 100;
const THRESHOLD = z.number().min(0).max(1e6);
const FOLDER = z.string().refine(isPathRule, 'is no folder of the vault and no glob over its paths');

const FOLDERS = z.union([FOLDER.transform((rule) => [rule]), z.array(FOLDER).max(MOST_RULES)]);

/** What the key `garden` of `.grove/vault.yaml` takes. */
export const GARDEN = z.object({
  leave_out: FOLDERS.optional(),
  inbox: FOLDERS.optional(),
  inbox_days: THRESHOLD.optional(),
  seed: thresholds('age', 'words', 'backlinks').optional(),
  sprout: thresholds('age', 'backlinks').optional(),
  growing: thresholds('touched', 'age', 'backlinks').optional(),
  mature: thresholds('age', 'backlinks', 'untouched').optional(),
  withering: thresholds('untouched', 'backlinks').optional(),
  dormant: thresholds('untouched').optional(),
});

/** The thresholds that each stage has, by name. */
export const STAGE_KEYS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(DEFAULTS).map(([stage, thresholds]) => [stage, Object.keys(thresholds)]),
);

/** The owner's words with the defaults for what they leave open. */
export function compileGarden({
  leave_out,
  inbox,
  inbox_days,
  ...given
}: z.infer<typeof GARDEN>): GardenSettings {
  const stages = Object.fromEntries(
    Object.entries(DEFAULTS).map(([stage, defaults]) => [
      stage,
      { ...defaults, ...given[stage as keyof StageThresholds] },
    ]),
  ) as unknown as StageThresholds;
  return {
    stages,
    leaveOut: (leave_out ?? []).map(parsePathRule),
    inbox: inbox?.map(parsePathRule) ?? null,
    inboxDays: inbox_days ?? PLAIN_GARDEN.inboxDays,
  };
}

function thresholds<const Name extends string>(...names: readonly Name[]) {
  return z.object(
    Object.fromEntries(names.map((name) => [name, THRESHOLD.optional()])) as Record<
      Name,
      z.ZodOptional<typeof THRESHOLD>
    >,
  );
}

function isPathRule(rule: string): boolean {
  try {
    parsePathRule(rule);
    return true;
  } catch (error) {
    if (isGroveError(error, 'bad_rule')) return false;
    throw error;
  }
}
