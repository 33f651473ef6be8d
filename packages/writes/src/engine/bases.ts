import { contentHash, isGroveError, type VaultPath } from '@grove/core';
import type { NoteThen } from './contract.ts';
import type { EngineParts } from './parts.ts';

/**
 * The bytes that had this hash at this path, found in git: a source or content hash (16 hex digits) or a blob id. By
 * the ledger, else what HEAD has. Null when they are not known, or no longer there.
 */
export async function findBase(
  parts: EngineParts,
  path: VaultPath,
  hash: string,
): Promise<Uint8Array | null> {
  const known = parts.ledger.base(path, hash);
  if (known !== null) return blobWith(parts, known.blob, known.contentHash);
  const head = await parts.store.resolveHead();
  const entry = await parts.git.entryAt(head.oid, path);
  if (entry === null || (hash.length === 40 && hash !== entry.oid)) return null;
  return blobWith(parts, entry.oid, hash.length === 40 ? null : hash);
}

/**
 * The bytes that the source hash of a note is the hash of, before the last commit of Grove's own making; null when they
 * are older, or not known.
 */
export async function findSource(parts: EngineParts, path: VaultPath): Promise<Uint8Array | null> {
  const note = parts.ledger.note(path);
  if (note === null || !/^[0-9a-f]{40}$/.test(note.commit)) return null;
  try {
    const [parent] = (await parts.store.readCommit(note.commit)).parents;
    const before = parent === undefined ? null : await noteAt(parts, path, parent);
    return before !== null && contentHash(before.bytes) === note.sourceHash ? before.bytes : null;
  } catch (error) {
    if (isGroveError(error, 'repository_unreadable')) return null;
    throw error;
  }
}

/** A blob, unless the file had other bytes on disk than git stores (line endings that git converts). */
async function blobWith(parts: EngineParts, oid: string, hash: string | null): Promise<Uint8Array | null> {
  try {
    const bytes = await parts.store.readBlob(oid);
    return hash === null || contentHash(bytes) === hash ? Buffer.from(bytes) : null;
  } catch (error) {
    // Collected, where nothing named it any more.
    if (isGroveError(error, 'repository_unreadable')) return null;
    throw error;
  }
}

/** A note as a commit has it; null where it has no plain file there. */
export async function noteAt(
  { git, store }: EngineParts,
  path: VaultPath,
  commit: string,
): Promise<NoteThen | null> {
  const entry = await git.entryAt(commit, path);
  if (entry === null || !entry.mode.startsWith('100')) return null;
  // A copy: the bytes of the store are shared.
  return { bytes: Buffer.from(await store.readBlob(entry.oid)), isExecutable: entry.mode === '100755' };
}
