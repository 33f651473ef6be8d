import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isGroveError, parseVaultPath, type VaultPath } from '@grove/core';
import type { History } from '@grove/history';
import type { View } from '@grove/vault';

/** A note whose file is not what the last commit has of it. */
export interface OutsideChange {
  readonly path: VaultPath;
  /** Blob id of the file; null when it is gone. */
  readonly now: string | null;
  /** Blob id at HEAD; null for a new note. */
  readonly committed: string | null;
  /** Bytes of the file. */
  readonly size: number;
}

export interface OutsideSources {
  /** Real path of the vault folder. */
  readonly root: string;
  readonly history: Pick<History, 'headBlob' | 'headNotes'>;
  /** The owner's: what the process policy hides is not looked at. */
  readonly view: View;
  /** The process policy, for notes that are gone. */
  readonly mayRead: (path: string) => boolean;
}

/**
 * Notes of the catalog that differ from HEAD, byte by byte, and notes of HEAD whose file is gone; one after another,
 * so that the caller can let others have their turn. What cannot be read, or is a note no more, is not gone.
 */
export function* outsideChanges({
  root,
  history,
  view,
  mayRead,
}: OutsideSources): Generator<OutsideChange | null> {
  const present = new Set<string>();
  for (const { path, diskPath, blob, size } of view.notes()) {
    present.add(path);
    const committed = history.headBlob(diskPath);
    yield committed === blob ? null : { path, now: blob, committed, size };
  }
  for (const [headPath, committed] of history.headNotes()) {
    const path = headPath.normalize('NFC');
    const gone = !present.has(path) && mayRead(path) && isGone(join(root, headPath)) ? vaultPath(path) : null;
    yield gone === null ? null : { path: gone, now: null, committed, size: 0 };
  }
}

function isGone(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // A folder on the way became a file.
    if (errorCode(error) === 'ENOTDIR') return true;
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Null for a name that no note of ours can have. */
function vaultPath(path: string): VaultPath | null {
  try {
    return parseVaultPath(path);
  } catch (error) {
    if (isGroveError(error)) return null;
    throw error;
  }
}
