import { isGroveError, parseVaultPath, type VaultPath } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { WriteAction } from '@grove/writes';
import { jsonBytes } from '../../answers/size.ts';
import type { Scope } from '../../contract.ts';
import { canWrite } from '../../write-note/listed.ts';

/** One operation of write_note. */
export interface MendingOperation {
  readonly action: WriteAction;
  readonly path: string;
  readonly [field: string]: unknown;
}

/** A longer call is not named: it would take the place of other findings. */
const LONGEST_CALL = 1_500;
/** Of what makes a note or adds to one, which a caller may do who may not change what is there. */
const ADDING: ReadonlySet<WriteAction> = new Set(['write', 'append', 'prepend']);

/** The call of write_note that does these operations, as a part of a finding; nothing where this caller may not make it. */
export function callFor(
  scope: Scope,
  operations: readonly MendingOperation[],
): { call?: Record<string, unknown> } {
  const [only, ...more] = operations;
  if (only === undefined || !canWrite(scope)) return {};
  if (!operations.every((operation) => mayDo(scope, operation))) return {};
  const call = more.length === 0 ? { ...only } : { operations, atomic: true };
  return jsonBytes(call) > LONGEST_CALL ? {} : { call };
}

function mayDo({ may, writable, vault }: Scope, { action, path, to }: MendingOperation): boolean {
  if (!may.write && !(may.append && ADDING.has(action))) return false;
  if (action === 'delete' && vault.deletes === 'deny') return false;
  return [path, ...(typeof to === 'string' ? [to] : [])].every(
    (one) => writable.refusal(one as VaultPath) === null,
  );
}

/** Lets a note go, as it is now. */
export function deletion(scope: Scope, row: NoteRow): MendingOperation {
  return { action: 'delete', path: row.path, if_hash: scope.sourceHash(row) };
}

/** The path as one where a note may be made; null where none may. */
export function newPath(path: string): VaultPath | null {
  try {
    return parseVaultPath(path);
  } catch (error) {
    if (isGroveError(error, 'bad_path')) return null;
    throw error;
  }
}
