import { CellReader, type Cells } from '../control-file/cells.ts';
import type { GrantAccount, GrantFacts, GrantScope } from './grants.ts';

/** One row of the grants, read and checked. */
export interface GrantRow extends Omit<GrantFacts, 'state'> {
  /** True while the provider keeps its Grant. */
  readonly isKept: boolean;
  /** When the provider's Grant ends; null for never. */
  readonly expiresAt: number | null;
}

const cell = new CellReader('grants');

/**
 * Reads a row, with the expiry of the provider's Grant. A value that Grove did not write is damage: a grant of a trail
 * must not pass for one of the owner's.
 *
 * @throws GroveError `control_damaged`
 */
export function readGrantRow(cells: Cells): GrantRow {
  const trail = cell.textOrNull(cells.trail);
  const scopes = cell.list(cells.scopes);
  if (!scopes.every((scope) => scope === 'read' || scope === 'write')) throw cell.unreadable();
  return {
    id: cell.text(cells.id),
    account: readAccount(cell.text(cells.account), trail),
    vault: cell.text(cells.vault),
    trail,
    scopes: scopes as readonly GrantScope[],
    askedToWrite: cell.number(cells.asked_to_write) !== 0,
    clientId: cell.text(cells.client),
    clientName: cell.text(cells.client_name),
    redirectHost: cell.text(cells.redirect_host),
    resource: cell.text(cells.resource),
    createdAt: cell.number(cells.created_at),
    lastUsedAt: cell.numberOrNull(cells.last_used_at),
    revokedAt: cell.numberOrNull(cells.revoked_at),
    isKept: cell.number(cells.is_kept) !== 0,
    expiresAt: cell.numberOrNull(cells.grant_expires_at),
  };
}

/** What a grant is at `now`. */
export function stateOfGrant(row: GrantRow, now: number): GrantFacts['state'] {
  if (row.revokedAt !== null) return 'revoked';
  return row.isKept && (row.expiresAt === null || row.expiresAt > now) ? 'live' : 'expired';
}

/** The account that goes with a trail, or with none. */
export function accountOf(trail: string | null): GrantAccount {
  return trail === null ? 'owner' : `trail:${trail}`;
}

function readAccount(account: string, trail: string | null): GrantAccount {
  const fitting = accountOf(trail);
  if (account !== fitting) throw cell.unreadable();
  return fitting;
}
