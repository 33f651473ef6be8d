import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { contentHash, type VaultPath } from '@grove/core';
import type { Ledger } from '../ledger/ledger.ts';
import type { FileAccess, FileNow } from './contract.ts';
import { findPlace, type Place, refused } from './files/find-place.ts';
import { readPlainFile } from './files/read-file.ts';

/** A path of a request: where it lies, and what is there. */
export interface LookedAt extends FileAccess {
  readonly path: VaultPath;
  readonly place: Place;
  /** Null where there is none: its permissions and owner are then those that a new one gets from its folder. */
  readonly now: FileNow | null;
  /** When the file was saved, in milliseconds; null where there is none. */
  readonly modified: number | null;
}

/**
 * Reads the files of a request from the disk; what a stat says is not trusted.
 *
 * @throws GroveError `path_refused`, `folder_is_file`, `note_too_large`, `vault_degraded`
 */
export async function lookAtFiles(
  root: string,
  ledger: Ledger,
  paths: readonly VaultPath[],
): Promise<Map<VaultPath, LookedAt>> {
  const looks = new Map<VaultPath, LookedAt>();
  for (const path of paths) if (!looks.has(path)) looks.set(path, await lookAt(root, ledger, path));
  return looks;
}

async function lookAt(root: string, ledger: Ledger, path: VaultPath): Promise<LookedAt> {
  // Git's own folder, and those of tools: whatever made this a path of a note.
  if (path.split('/').some((name) => name.startsWith('.'))) throw refused(path, 'it is hidden');
  const place = await findPlace(root, path);
  const read = place.stat === null ? null : readPlainFile(join(root, place.diskPath), path);
  if (read === null) {
    const { folder } = place;
    return {
      path,
      place,
      now: null,
      modified: null,
      // As the folder's own, whatever the umask of this process: files are for whoever the folder is for.
      permissions: (Number(folder.mode) & 0o666) | 0o600,
      owner: { uid: Number(folder.uid), gid: Number(folder.gid) },
    };
  }
  const access = accessOf(read.stat);
  const hash = contentHash(read.bytes);
  return {
    path,
    place,
    now: {
      bytes: read.bytes,
      contentHash: hash,
      sourceHash: sourceHashOf(ledger, path, hash),
      diskPath: place.diskPath,
      access,
    },
    modified: Number(read.stat.mtimeNs / 1_000_000n),
    ...access,
  };
}

/** Permissions and owner that a file has. */
export function accessOf({ mode, uid, gid }: BigIntStats): FileAccess {
  return { permissions: Number(mode) & 0o7777, owner: { uid: Number(uid), gid: Number(gid) } };
}

/** Git knows of permissions only whether the owner may run a file. */
export function gitMode(permissions: number): '100644' | '100755' {
  return (permissions & 0o100) === 0 ? '100644' : '100755';
}

/** The ledger's source hash while the disk still holds what it last saw, else the content hash. */
export function sourceHashOf(ledger: Ledger, path: VaultPath, hash: string): string {
  const note = ledger.note(path);
  return note !== null && note.diskHash === hash ? note.sourceHash : hash;
}
