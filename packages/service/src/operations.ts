import { approve } from './confirmations/operation.ts';
import { conflicts } from './conflicts/list.ts';
import { settle } from './conflicts/settle.ts';
import type { Operation, Scope } from './contract.ts';
import { discover } from './discovery/operation.ts';
import { get } from './get/operation.ts';
import { listNotes } from './list-notes/operation.ts';
import { multiGet } from './multi-get/operation.ts';
import { query } from './query/operation.ts';
import { revert } from './revert/operation.ts';
import { syncVault } from './sync/operation.ts';
import { trash } from './trash/operation.ts';
import { vaultStatus } from './vault-status/operation.ts';
import { canWrite } from './write-note/listed.ts';
import { writeNote, writeNoteFor } from './write-note/operation.ts';

/** An operation whose types the caller does not need to know: what transports loop over. */
// biome-ignore lint/suspicious/noExplicitAny: parse gives exactly what run takes, and run what present takes.
export type AnyOperation = Operation<any, any>;

/** Every operation that only reads, in the order in which they are advertised. */
export const operations: readonly AnyOperation[] = [query, get, multiGet, listNotes, vaultStatus];

/** All six, for whoever finds one by its name. */
export const allOperations: readonly AnyOperation[] = [
  query,
  get,
  multiGet,
  writeNote,
  listNotes,
  vaultStatus,
];

/** What only the owner's command line calls; no list of tools names it. */
export const ownerOperations: readonly AnyOperation[] = [
  revert,
  approve,
  trash,
  discover,
  syncVault,
  conflicts,
  settle,
];

/**
 * What this caller is shown, now: `write_note` only where it may write and the vault's switch is on, with the actions
 * that it may use.
 */
export function operationsFor(scope: Scope): readonly AnyOperation[] {
  if (!canWrite(scope)) return operations;
  return allOperations.map((operation) => (operation === writeNote ? writeNoteFor(scope) : operation));
}
