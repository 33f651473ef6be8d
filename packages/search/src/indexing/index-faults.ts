import { errorCode, GroveError } from '@grove/core';
import type { Vault } from '@grove/vault';
import type { LexicalIndex } from '../engine/port.ts';
import { type FolderIdentity, isSameFolder } from './index-folder.ts';
import { DOCUMENT_VERSION, type IndexPayload } from './payload.ts';

/** Why an index that does not open is to be built anew; null when building anew would not help. */
export function openingFault(error: unknown): string | null {
  if (errorCode(error) === 'index_corrupt') return 'The index was damaged.';
  if (errorCode(error) === 'index_schema') return 'The index was written by another version.';
  return null;
}

/**
 * Why an index that was opened does not belong to the vault's catalog, or null when it does.
 *
 * @param sequence of the catalog when the vault was opened: a first scan may have moved it since
 */
export function contentFault(
  index: LexicalIndex,
  payload: IndexPayload | null,
  vault: Vault,
  sequence: number,
): string | null {
  if (payload === null) {
    if (index.documentCount > 0) return 'The index was not finished.';
    return sequence > 0 ? 'The index folder was missing.' : null;
  }
  if (payload.catalogId !== vault.catalogId) return 'The catalog was built anew.';
  return payload.version === DOCUMENT_VERSION ? null : 'The index was written by another version.';
}

/**
 * Why an open index is to be built anew: its folder is no longer the one that was opened, or, after an error,
 * its files are damaged. Null when the index is sound and the error is something else's.
 */
export async function runningFault(
  dir: string,
  folder: FolderIdentity,
  index: LexicalIndex,
  error: unknown,
): Promise<string | null> {
  if (!(await isSameFolder(dir, folder))) return 'The index folder was deleted while it was open.';
  if (error === null) return null;
  // What cannot even be checked cannot be searched.
  const files = await index.damagedFiles().catch(() => null);
  if (files === null) return 'The index could no longer be read.';
  return files.length > 0 ? damaged(files) : null;
}

/** What a caller is told of an error of the index itself (a full disk, a file that cannot be read); others stay. */
export function unusable(error: unknown): unknown {
  if (errorCode(error)?.startsWith('index_') !== true || error instanceof GroveError) return error;
  return new GroveError('index_unavailable', {}, { cause: error });
}

/** The sentence for files whose checksum is wrong. */
export function damaged(files: readonly string[]): string {
  return `The index was damaged (${files.length} of its files).`;
}
