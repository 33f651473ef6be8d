import { type Clock, InTurn } from '@grove/core';
import type { CatalogDelta } from '@grove/vault';
import type { LexicalIndex, NoteDocument } from '../engine/port.ts';
import { noteDocument } from './note-document.ts';
import { DOCUMENT_VERSION, writePayload } from './payload.ts';

/** Documents made at a time: making and copying them must not hold the event loop. */
const SLICE = 32;
/** While notes stream in, a commit comes after this much time (ms) or this many documents. */
const BULK_INTERVAL = 1000;
const BULK_DOCUMENTS = 2000;
/** Otherwise this long (ms) after the last change, unless a query asks for it sooner. */
const QUIET_INTERVAL = 200;

export interface IndexWriterOptions {
  readonly index: LexicalIndex;
  readonly catalogId: string;
  /** Catalog sequence that the index is known to hold. */
  readonly sequence: number;
  readonly clock: Clock;
  /** True while a first scan or a rebuild streams notes in. */
  readonly isBulk: () => boolean;
  /** Hears of a commit that failed with nobody waiting for it. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Puts catalog deltas into one index, one call at a time, and decides when to commit. Each commit carries the
 * sequence up to which the index holds every change, so that a restart adds only what came later.
 */
export class IndexWriter {
  readonly index: LexicalIndex;
  readonly #options: IndexWriterOptions;
  readonly #steps = new InTurn();
  #waiting = 0;
  #uncommitted = 0;
  #sequence: number;
  /** While notes come out of order, the sequence that is safe to note down. */
  #held: number | null = null;
  #lastCommit: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: IndexWriterOptions) {
    this.index = options.index;
    this.#options = options;
    this.#sequence = options.sequence;
    this.#lastCommit = options.clock.now();
  }

  /** True while a change waits to become searchable. */
  get dirty(): boolean {
    return this.#waiting > 0 || this.#uncommitted > 0;
  }

  /** Changes that are not searchable yet. */
  get pending(): number {
    return this.#waiting + this.#uncommitted;
  }

  /** From here until {@link release} notes come out of order: commits keep the sequence that stands now. */
  hold(): void {
    this.#held ??= this.#sequence;
  }

  /** Notes came out of order up to here; now every change up to `sequence` is in. */
  release(sequence = 0): void {
    const noted = this.#held;
    this.#held = null;
    this.#sequence = Math.max(this.#sequence, sequence);
    // The sequence itself is worth a commit: without it the next start would add these notes again.
    if (noted !== null && noted < this.#sequence) this.#uncommitted++;
  }

  /** Indexes a delta; resolves when the engine has it, so that a slow disk slows the scan. */
  async take(delta: CatalogDelta): Promise<void> {
    const removed = delta.removed.map((row) => row.id);
    await this.#change(delta.upserted.length + removed.length, async () => {
      for (let at = 0; at < delta.upserted.length; at += SLICE) await this.index.add(documentsOf(delta, at));
      if (removed.length > 0) await this.index.remove(removed);
      for (const row of delta.upserted) this.#sequence = Math.max(this.#sequence, row.sequence);
    });
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.#change(ids.length, () => this.index.remove(ids));
  }

  /** Makes everything taken so far searchable. */
  async flush(): Promise<void> {
    await this.#steps.run(async () => {
      if (this.#uncommitted > 0) await this.#commit();
    });
  }

  /** Commits what it can and closes the index. The error of a last commit that failed comes after the close. */
  async close(): Promise<void> {
    this.#disarm();
    try {
      await this.flush();
    } finally {
      this.#disarm();
      await this.index.close();
    }
  }

  async #change(count: number, step: () => Promise<void>): Promise<void> {
    this.#waiting += count;
    this.#disarm();
    try {
      await this.#steps.run(async () => {
        await step();
        this.#uncommitted += count;
        if (this.#options.isBulk() && this.#isDue()) await this.#commit();
      });
    } finally {
      this.#waiting -= count;
    }
    if (this.#uncommitted > 0) this.#arm();
  }

  #isDue(): boolean {
    const elapsed = this.#options.clock.now() - this.#lastCommit;
    return this.#uncommitted >= BULK_DOCUMENTS || elapsed >= BULK_INTERVAL;
  }

  async #commit(): Promise<void> {
    const sequence = this.#held ?? this.#sequence;
    const payload = { catalogId: this.#options.catalogId, sequence, version: DOCUMENT_VERSION };
    await this.index.commit(writePayload(payload));
    this.#uncommitted = 0;
    this.#lastCommit = this.#options.clock.now();
  }

  #arm(): void {
    this.#disarm();
    this.#timer = setTimeout(() => {
      this.flush().catch(this.#options.onFailure);
    }, QUIET_INTERVAL);
    this.#timer.unref();
  }

  #disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Copies that a sync tool left are kept out of search. */
function documentsOf(delta: CatalogDelta, from: number): readonly NoteDocument[] {
  const documents: NoteDocument[] = [];
  for (let at = from; at < Math.min(from + SLICE, delta.upserted.length); at++) {
    const row = delta.upserted[at]!;
    if (!row.conflictCopy) documents.push(noteDocument(row, delta.texts[at]!));
  }
  return documents;
}
