import type { Operation } from './contract.ts';
import { get } from './get/operation.ts';
import { listNotes } from './list-notes/operation.ts';
import { multiGet } from './multi-get/operation.ts';
import { query } from './query/operation.ts';
import { vaultStatus } from './vault-status/operation.ts';

/** An operation whose types the caller does not need to know: what transports loop over. */
// biome-ignore lint/suspicious/noExplicitAny: parse gives exactly what run takes, and run what present takes.
export type AnyOperation = Operation<any, any>;

/** Every operation, in the order in which they are advertised. */
export const operations: readonly AnyOperation[] = [query, get, multiGet, listNotes, vaultStatus];
