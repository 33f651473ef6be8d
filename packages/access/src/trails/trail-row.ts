import { isGroveError } from '@grove/core';
import { parseTrailRules, type TrailRules } from '@grove/trails';
import { CellReader, type Cells } from '../control-file/cells.ts';
import type { KeyScope } from '../wishes/scopes.ts';
import type { TrailFacts } from './trails.ts';

/** One row of the trails, read and checked. */
export interface TrailRow extends Omit<TrailFacts, 'state'> {
  /** SHA-256 of the invite's secret, in hex; null when there is none. */
  readonly inviteHash: string | null;
  /** Counts the changes of what the trail allows. */
  readonly generation: number;
}

const cell = new CellReader('trails');

/** The lists of the rules, in the order in which they are written. */
export const RULE_LISTS = [
  'allowTags',
  'denyTags',
  'allowTypes',
  'denyTypes',
  'allowPaths',
  'denyPaths',
  'writeFolders',
] as const satisfies readonly (keyof TrailRules)[];

/**
 * Reads a row. A value that Grove did not write is damage: rules that cannot be read must not pass for none.
 *
 * @throws GroveError `control_damaged`
 */
export function readTrailRow(cells: Cells): TrailRow {
  return {
    id: cell.text(cells.id),
    name: cell.text(cells.name),
    vault: cell.text(cells.vault),
    rules: readRules(cell.json(cells.rules)),
    reads: count(cells.reads),
    writes: count(cells.writes),
    createdAt: cell.number(cells.created_at),
    expiresAt: cell.numberOrNull(cells.expires_at),
    disabledAt: cell.numberOrNull(cells.disabled_at),
    lastUsedAt: cell.numberOrNull(cells.last_used_at),
    inviteHash: cell.textOrNull(cells.invite_hash),
    generation: cell.number(cells.generation),
  };
}

/** The rules as they are written. */
export function writtenRules(rules: TrailRules): string {
  return JSON.stringify(Object.fromEntries(RULE_LISTS.map((list) => [list, rules[list]])));
}

/** What a trail is at `now`. */
export function stateOfTrail(
  { expiresAt, disabledAt }: Pick<TrailRow, 'expiresAt' | 'disabledAt'>,
  now: number,
): TrailFacts['state'] {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return disabledAt === null ? 'live' : 'disabled';
}

/** What who comes by a trail may do at most: read, and write only where it has folders and calls for that. */
export function scopesOfTrail({ rules, writes }: Pick<TrailRow, 'rules' | 'writes'>): readonly KeyScope[] {
  return rules.writeFolders.length > 0 && writes > 0 ? ['read', 'write'] : ['read'];
}

function count(value: Cells[string] | undefined): number {
  const number = cell.number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw cell.unreadable();
  return number;
}

function readRules(value: unknown): TrailRules {
  if (typeof value !== 'object' || value === null) throw cell.unreadable();
  const given = value as Readonly<Record<string, unknown>>;
  if (Object.keys(given).some((name) => !RULE_LISTS.some((list) => list === name))) throw cell.unreadable();
  const lists = Object.fromEntries(RULE_LISTS.map((list) => [list, cell.textList(given[list])]));
  try {
    return parseTrailRules(lists);
  } catch (error) {
    if (isGroveError(error, 'bad_rule')) throw cell.unreadable(error);
    throw error;
  }
}
