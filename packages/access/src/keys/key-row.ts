import type { SQLOutputValue } from 'node:sqlite';
import { damaged } from '../control-file/faults.ts';
import { isScope, type KeyScope } from '../wishes/scopes.ts';
import type { KeyFacts } from './keys.ts';

/** One row of the keys, read and checked. */
export interface KeyRow extends Omit<KeyFacts, 'state'> {
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string;
  /** Counts the tokens that the key has had, this one included. */
  readonly generation: number;
}

/**
 * Reads a row. A value that Grove did not write is damage: a key whose limits cannot be read must not pass as one
 * without limits.
 *
 * @throws GroveError `control_damaged`
 */
export function readKeyRow(cells: Readonly<Record<string, SQLOutputValue>>): KeyRow {
  const scopes = list(cells.scopes);
  if (scopes.length === 0 || !scopes.every(isScope)) throw unreadable();
  return {
    id: text(cells.id),
    name: text(cells.name),
    vault: text(cells.vault),
    scopes: scopes as readonly KeyScope[],
    readPaths: list(cells.read_paths),
    writePaths: list(cells.write_paths),
    denyPaths: list(cells.deny_paths),
    createdAt: number(cells.created_at),
    expiresAt: numberOrNull(cells.expires_at),
    lastUsedAt: numberOrNull(cells.last_used_at),
    revokedAt: numberOrNull(cells.revoked_at),
    ending: text(cells.ending),
    tokenHash: text(cells.token_hash),
    generation: number(cells.generation),
  };
}

/** The name of the token that the key has now. */
export function credentialOf(row: KeyRow): string {
  return `${row.id}.${row.generation}`;
}

/** What a key is at `now`; a revoked one stays that when its time passes too. */
export function stateOf(row: KeyRow, now: number): KeyFacts['state'] {
  if (row.revokedAt !== null) return 'revoked';
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'live';
}

function text(cell: SQLOutputValue | undefined): string {
  if (typeof cell !== 'string') throw unreadable();
  return cell;
}

function number(cell: SQLOutputValue | undefined): number {
  if (typeof cell !== 'number') throw unreadable();
  return cell;
}

function numberOrNull(cell: SQLOutputValue | undefined): number | null {
  return cell === null ? null : number(cell);
}

function list(cell: SQLOutputValue | undefined): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text(cell));
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(error);
    throw error;
  }
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) throw unreadable();
  return Object.freeze(value);
}

function unreadable(cause?: unknown) {
  return damaged('a row of the keys holds what Grove does not write', cause);
}
