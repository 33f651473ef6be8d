import { dirname } from 'node:path';
import { errorCode, type VaultPath } from '@grove/core';
import type { BuiltCommit } from '@grove/history';
import type { JournalFile, JournalRecord } from '../ledger/journal-row.ts';
import type { FileChange } from './files/file-change.ts';
import type { IndexKeeper } from './index-keeper.ts';
import type { EngineParts } from './parts.ts';

/** A write that is acknowledged and not yet safe without its journal row. */
export interface Unsettled {
  readonly id: number;
  readonly record: JournalRecord;
  readonly files: readonly Pick<FileChange, 'path' | 'diskPath' | 'before' | 'keep'>[];
  readonly built: readonly BuiltCommit[];
}

/** How long writes are gathered before they are synced together, in milliseconds. */
const DELAY_MS = 50;
/** How long after a failure it is tried again. */
const RETRY_MS = 1_000;
const MAX_WRITES = 64;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Syncs in the background what acknowledged writes have changed, then forgets their journal rows. A failure leaves
 * the rows, is told once and tried again with the next write.
 */
export class Settler {
  readonly #parts: EngineParts;
  readonly #index: IndexKeeper;
  readonly #onConflict: (path: VaultPath, saved: VaultPath) => void;
  #waiting: Unsettled[] = [];
  #settling: Unsettled[] = [];
  #bytes = 0;
  #failing = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(
    parts: EngineParts,
    index: IndexKeeper,
    onConflict: (path: VaultPath, saved: VaultPath) => void,
  ) {
    this.#parts = parts;
    this.#index = index;
    this.#onConflict = onConflict;
  }

  /** Journal rows that are waiting or being settled. */
  get held(): ReadonlySet<number> {
    return new Set([...this.#waiting, ...this.#settling].map(({ id }) => id));
  }

  add(write: Unsettled): void {
    this.#waiting.push(write);
    this.#bytes += sizeOf(write);
    this.#runIn(DELAY_MS);
  }

  /** Waits while so much is unsynced that memory would fill. */
  async makeRoom(): Promise<void> {
    if (this.#waiting.length >= MAX_WRITES || this.#bytes >= MAX_BYTES) await this.#runAside();
  }

  /** Settles all that waits now. */
  run(): Promise<void> {
    this.#running = this.#running.catch(() => {}).then(() => this.#settle());
    return this.#running;
  }

  /** Settles until nothing waits. */
  async settled(): Promise<void> {
    do await this.run();
    while (this.#waiting.length > 0);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Tries nothing more by itself. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #runIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#runAside();
    }, ms).unref();
  }

  /** Nobody waits for it: a failure is told once, and tried again until it passes. */
  async #runAside(): Promise<void> {
    try {
      await this.run();
      this.#failing = false;
    } catch (cause) {
      if (!this.#failing) this.#report(cause);
      this.#failing = true;
      if (!this.#stopped) this.#runIn(RETRY_MS);
    }
  }

  async #settle(): Promise<void> {
    const writes = this.#waiting;
    this.#settling = writes;
    this.#waiting = [];
    this.#bytes = 0;
    try {
      await this.#index.whenIn();
      if (writes.length === 0) return;
      await this.#parts.step('indexed');
      await this.#sync(writes);
      await this.#parts.step('synced');
      this.#parts.ledger.finish(
        writes.map(({ id }) => id),
        this.#parts.clock.now(),
      );
      await this.#parts.step('finished');
    } catch (error) {
      this.#waiting.unshift(...writes);
      for (const write of writes) this.#bytes += sizeOf(write);
      throw error;
    } finally {
      this.#settling = [];
    }
  }

  async #sync(writes: readonly Unsettled[]): Promise<void> {
    const { git, files } = this.#parts;
    await git.syncObjects(writes.flatMap(({ built }) => built));
    for (const ref of new Set(writes.map(({ record }) => record.ref))) await git.syncRef(ref);
    await git.syncIndex();
    await syncNames(
      this.#parts,
      writes.map(({ record }) => record),
      ({ after }) => after === null,
    );
    for (const { files: changed } of writes) {
      for (const file of changed) {
        const { conflict } = await files.releaseKept(file);
        if (conflict !== null) this.#onConflict(file.path, conflict);
      }
    }
  }

  #report(cause: unknown): void {
    this.#parts.report({
      what: 'settle',
      path: null,
      message: 'What was written could not be synced yet; it stays in the journal and is tried again.',
      cause,
    });
  }
}

/** Makes durable which names writes gave and took; `isGone` tells the files that were taken away. */
export async function syncNames(
  { files, fs }: Pick<EngineParts, 'files' | 'fs'>,
  records: readonly JournalRecord[],
  isGone: (file: JournalFile) => boolean,
): Promise<void> {
  await files.syncFolders(records.flatMap(foldersOf));
  // What is taken away moves to a working name, which not every disk makes durable with the folder that it left.
  const gone = records.flatMap((record) => record.files.filter(isGone));
  for (const folder of new Set(gone.flatMap(({ keep }) => (keep === null ? [] : dirname(keep))))) {
    try {
      await fs.sync(folder);
    } catch (error) {
      // Whoever tidied up in the git dir took the working names with it.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** Vault-relative folders (`.` is the vault) in which a write changed a name. */
function foldersOf({ files, madeFolders }: JournalRecord): string[] {
  return [
    ...new Set([
      ...files.map(({ diskPath }) => dirname(diskPath)),
      ...madeFolders.map((folder) => dirname(folder)),
    ]),
  ];
}

function sizeOf({ record, built }: Unsettled): number {
  let bytes = 0;
  for (const { before, after } of record.files) bytes += (before?.length ?? 0) + (after?.length ?? 0);
  for (const { objects } of built) for (const { data } of objects.values()) bytes += data.length;
  return bytes;
}
