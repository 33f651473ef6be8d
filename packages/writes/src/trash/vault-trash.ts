import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptDiskPath, blobId, errorCode, isGroveError, type VaultPath } from '@grove/core';
import type { History } from '@grove/history';
import type { WriteEngine } from '../engine/contract.ts';
import { batchesIn, deletedAt, readFromTrash, TRASH, takeFromTrash } from './batches.ts';

/** A note that lies in the trash. */
export interface NoteInTrash {
  readonly path: VaultPath;
  readonly bytes: number;
}

/** What one call deleted, as far as it is still there. */
export interface TrashBatch {
  readonly batch: string;
  /** Milliseconds since the epoch. */
  readonly deleted: number;
  /** By path. */
  readonly notes: readonly NoteInTrash[];
}

/** A batch that stays, as a whole, and why. */
export interface LeftBatch {
  readonly batch: string;
  /** Part of a sentence. */
  readonly reason: string;
}

export interface EmptiedTrash {
  readonly emptied: readonly TrashBatch[];
  readonly left: readonly LeftBatch[];
}

export interface EmptyOptions {
  /** Only tells what would be. */
  readonly dryRun: boolean;
  /** False for a path that the rules of the caller keep as it is. */
  readonly mayChange: (path: VaultPath) => boolean;
}

export interface TrashParts {
  /** Real path of the vault folder. */
  readonly root: string;
  readonly engine: Pick<WriteEngine, 'storedId'>;
  readonly history: Pick<History, 'refresh' | 'caughtUp' | 'walk'>;
  /** True for a path that the owner may hear of in this process. */
  readonly mayName: (path: string) => boolean;
}

/** The trash of a vault, for its owner. */
export class VaultTrash {
  readonly #parts: TrashParts;

  constructor(parts: TrashParts) {
    this.#parts = parts;
  }

  /** What lies in it, the newest deletion first. What Grove did not put there is no part of it. */
  async list(): Promise<readonly TrashBatch[]> {
    const { root, mayName } = this.#parts;
    const batches: TrashBatch[] = [];
    for (const batch of (await batchesIn(root)).reverse()) {
      const files = await filesBelow(join(root, TRASH, batch), '');
      const notes = files.filter(({ path }) => mayName(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
      if (notes.length > 0) batches.push({ batch, deleted: deletedAt(batch), notes });
    }
    return batches;
  }

  /**
   * Removes what was deleted up to a moment, for good. A batch with a note that the history does not hold, or that may
   * not be changed, stays whole.
   *
   * @param until milliseconds since the epoch
   * @throws GroveError `repository_unreadable`
   * @example await trash.empty(Date.now() - 30 * 86_400_000, { dryRun: true, mayChange: () => true })
   */
  async empty(until: number, { dryRun, mayChange }: EmptyOptions): Promise<EmptiedTrash> {
    const { root, history } = this.#parts;
    await history.refresh();
    await history.caughtUp();
    const emptied: TrashBatch[] = [];
    const left: LeftBatch[] = [];
    for (const batch of await this.list()) {
      if (batch.deleted > until) continue;
      const reason = await this.#reasonToKeep(batch, mayChange);
      if (reason !== null) {
        left.push({ batch: batch.batch, reason });
        continue;
      }
      if (!dryRun) for (const { path } of batch.notes) await takeFromTrash(root, batch.batch, path);
      emptied.push(batch);
    }
    return { emptied, left };
  }

  async #reasonToKeep(
    { batch, notes }: TrashBatch,
    mayChange: EmptyOptions['mayChange'],
  ): Promise<string | null> {
    const refused = notes.find(({ path }) => !mayChange(path));
    if (refused !== undefined) return `"${refused.path}" may not be changed by this command`;
    for (const { path } of notes)
      if (!(await this.#isInHistory(batch, path)))
        return `the history does not hold "${path}" as it lies there`;
    return null;
  }

  async #isInHistory(batch: string, path: VaultPath): Promise<boolean> {
    const { root, engine, history } = this.#parts;
    try {
      const note = await readFromTrash(root, batch, path);
      if (note === null) return false;
      const wanted = new Set([blobId(note.bytes), await engine.storedId(path, note.bytes)]);
      for (const name of new Set<string>([path, path.normalize('NFD')]))
        for await (const { changes } of history.walk({ path: name }))
          if (changes.some(({ blob }) => wanted.has(blob))) return true;
      return false;
    } catch (error) {
      // A link, a hard link, something too large: Grove did not put it there.
      if (isGroveError(error)) return false;
      throw error;
    }
  }
}

/** Every note below a folder of the trash; links are named and not followed. */
async function filesBelow(top: string, folder: string): Promise<NoteInTrash[]> {
  const files: NoteInTrash[] = [];
  for (const entry of await entriesOf(join(top, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      files.push(...(await filesBelow(top, path)));
      continue;
    }
    const stat = lstatSync(join(top, path), { throwIfNoEntry: false });
    const note = notePath(path);
    if (stat !== undefined && note !== null) files.push({ path: note, bytes: stat.size });
  }
  return files;
}

/** Null for what is no note: a file of the desktop's, or of somebody. */
function notePath(path: string): VaultPath | null {
  try {
    return acceptDiskPath(path);
  } catch (error) {
    if (isGroveError(error, 'bad_path')) return null;
    throw error;
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // Restored, or emptied, this very moment.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
