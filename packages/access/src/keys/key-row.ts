import { CellReader, type Cells } from '../control-file/cells.ts';
import { isScope, type KeyScope } from '../wishes/scopes.ts';
import type { KeyFacts } from './keys.ts';

/** One row of the keys, read and checked. The token of a trail has no scopes of its own: the trail has them. */
export interface KeyRow extends Omit<KeyFacts, 'state'> {
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string;
  /** Counts the tokens that the key has had, this one included. */
  readonly generation: number;
}

/** What stands for scopes in the row of a trail's token, so that it cannot be read as a key without its trail. */
const OF_TRAIL = 'trail';
const cell = new CellReader('keys');

/**
 * Reads a row. A value that Grove did not write is damage: a key whose limits cannot be read must not pass as one
 * without limits.
 *
 * @throws GroveError `control_damaged`
 */
export function readKeyRow(cells: Cells): KeyRow {
  const trail = cell.textOrNull(cells.trail);
  return {
    id: cell.text(cells.id),
    name: cell.text(cells.name),
    vault: cell.text(cells.vault),
    trail,
    scopes: readScopes(cell.list(cells.scopes), trail),
    readPaths: cell.list(cells.read_paths),
    writePaths: cell.list(cells.write_paths),
    denyPaths: cell.list(cells.deny_paths),
    createdAt: cell.number(cells.created_at),
    expiresAt: cell.numberOrNull(cells.expires_at),
    lastUsedAt: cell.numberOrNull(cells.last_used_at),
    revokedAt: cell.numberOrNull(cells.revoked_at),
    ending: cell.text(cells.ending),
    tokenHash: cell.text(cells.token_hash),
    generation: cell.number(cells.generation),
  };
}

/** The scopes as they are written. */
export function writtenScopes({ scopes, trail }: KeyRow): readonly string[] {
  return trail === null ? scopes : [OF_TRAIL];
}

/** What a key is at `now`; a revoked one stays that when its time passes too. */
export function stateOf(row: KeyRow, now: number): KeyFacts['state'] {
  if (row.revokedAt !== null) return 'revoked';
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'live';
}

function readScopes(scopes: readonly string[], trail: string | null): readonly KeyScope[] {
  const isOfTrail = scopes.length === 1 && scopes[0] === OF_TRAIL;
  if (isOfTrail !== (trail !== null)) throw cell.unreadable();
  if (isOfTrail) return [];
  if (scopes.length === 0 || !scopes.every(isScope)) throw cell.unreadable();
  return scopes as readonly KeyScope[];
}
