import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import type { MeaningRecords } from './records/meaning-records.ts';
import type { TextRecord } from './records/text-columns.ts';
import type { VectorRows } from './vector-rows.ts';

/** Shortest time (ms) between two of them while the process runs: one is a byte a dimension and vector to write. */
const EVERY_MS = 5 * 60_000;
/** Pause (ms) before it is written: more may come at once. */
const QUIET_MS = 10_000;

export interface MemorySnapshotOptions {
  readonly records: MeaningRecords;
  readonly rows: VectorRows;
  /** Folder of the model's index. */
  readonly dir: string;
  /** Of the model: vectors of another one are not read. */
  readonly label: string;
}

/**
 * The vectors in memory as a file, so that a start need not read the floats of the store. Derived, and never trusted
 * further than the records: of what it holds only those vectors are used whose text a note still has, by its key. They are
 * not compared where the records say that they and these very files hold the same texts, which they say after a comparison
 * alone and take back with the next change. One that is damaged, of another model or missing is done without.
 */
export class MemorySnapshot {
  readonly #options: MemorySnapshotOptions;
  /** The state of the rows that is on disk; null: none that is known. */
  #saved: number | null = null;
  /** Nothing is on disk but what is in memory. */
  #isTidy = true;
  #savedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: MemorySnapshotOptions) {
    this.#options = options;
  }

  /**
   * Reads it into the rows, which must be empty.
   *
   * @returns the texts whose vectors it lacks; null, and the rows are empty, when there is none of use
   */
  async restore(): Promise<readonly TextRecord[] | null> {
    const { records, rows, dir, label } = this.#options;
    const stamp = await this.#stamp();
    const isLevel = stamp !== null && stamp === records.snapshot;
    const { version } = records;
    const restored = await rows.restore(dir, label, isLevel ? null : () => records.columns());
    if (restored === null) return null;
    const { lacking, removed } = restored;
    this.#saved = rows.version;
    this.#isTidy = removed === 0;
    if (!isLevel && stamp !== null && lacking.length + removed === 0 && records.version === version)
      records.snapshot = stamp;
    return lacking;
  }

  /** What is in memory is whole for now: it is written soon, if it changed. */
  settle(): void {
    if (this.#closed || this.#timer !== null || this.#isSaved) return;
    const rest = Math.max(this.#savedAt + EVERY_MS - performance.now(), QUIET_MS);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#save();
    }, rest).unref();
  }

  /** Deletes it: what it was made of is no good. */
  async forget(): Promise<void> {
    this.#saved = null;
    await this.#saving;
    for (const name of this.#options.rows.fileNames) await rm(join(this.#options.dir, name), { force: true });
  }

  /** @param saves `changed`: what changed is written; `missing`: only where there is none; `never`: memory is not whole */
  async close(saves: 'changed' | 'missing' | 'never'): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#saving;
    if (saves === 'changed' || (saves === 'missing' && this.#saved === null)) await this.#save();
  }

  get #isSaved(): boolean {
    return this.#isTidy && this.#saved === this.#options.rows.version;
  }

  #save(): Promise<void> {
    const { rows, dir, label } = this.#options;
    this.#saving = this.#saving.then(async () => {
      const { version } = rows;
      if (this.#isSaved) return;
      this.#savedAt = performance.now();
      try {
        await rows.save(dir, label);
        this.#saved = version;
        this.#isTidy = true;
        await this.#compare(version);
      } catch {
        // A disk that is full: the next start reads the store.
      }
    });
    return this.#saving;
  }

  /** Has the records say that the files hold what they do, where that is so: all at one moment. */
  async #compare(saved: number): Promise<void> {
    const { records, rows } = this.#options;
    const { version } = records;
    if (rows.size !== records.texts) return;
    const stamp = await this.#stamp();
    const { lacking } = await rows.retain(() => records.columns());
    if (stamp !== null && lacking.length === 0 && rows.version === saved && records.version === version)
      records.snapshot = stamp;
  }

  /** What tells these files from any others, without a look into them; null where one is missing. */
  async #stamp(): Promise<string | null> {
    const { rows, dir } = this.#options;
    try {
      const stats = await Promise.all(rows.fileNames.map((name) => stat(join(dir, name), { bigint: true })));
      return stats
        .map(({ ino, size, mtimeNs, ctimeNs }) => [ino, size, mtimeNs, ctimeNs].join(':'))
        .join(' ');
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return null;
    }
  }
}
