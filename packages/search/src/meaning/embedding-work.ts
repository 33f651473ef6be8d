import { errorCode, isGroveError } from '@grove/core';
import type { MeaningText } from './meaning-texts.ts';
import type { Embedder, StoredVector, VectorStore } from './port.ts';
import type { MeaningRecords, WaitingNote } from './records/meaning-records.ts';
import type { VectorRows } from './vector-rows.ts';

/** Texts that are stored at once: fewer, and the store is all small pieces; more, and a new note waits for them. */
const GROUP = 32;
/** Pauses after failures, in milliseconds: doubled from the first to the last. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 5 * 60_000;
/** Groups after which the store is tidied. */
const COMPACT_EVERY = 100;

export interface EmbeddingWorkOptions {
  readonly records: MeaningRecords;
  readonly rows: VectorRows;
  readonly embedder: Embedder;
  /** The texts of a note as it is now; null when it is gone. */
  readonly textsOf: (note: number) => Promise<readonly MeaningText[] | null>;
  /** The store was found lost or damaged; resolves when another is in use. */
  readonly onLoss: (reason: string) => Promise<void>;
  /** Nothing waits any more. */
  readonly onIdle: () => void;
}

interface Group {
  readonly notes: readonly WaitingNote[];
  /** Texts without a vector, by key. */
  readonly lacking: ReadonlyMap<string, string>;
}

/**
 * Embeds the notes that wait, the one touched last first, in the background. What is done is on disk before it is noted
 * down as done, so that a kill costs one group. While the embedder refuses, it pauses and keeps its place.
 */
export class EmbeddingWork {
  readonly #options: EmbeddingWorkOptions;
  #store: VectorStore | null = null;
  #running: Promise<void> | null = null;
  #started = false;
  /** Something was added since the last look at what waits. */
  #news = false;
  #closing = new AbortController();
  #endPause: (() => void) | null = null;
  #failures = 0;
  #groups = 0;
  #waiters = new Set<() => void>();
  problem: string | null = null;
  embedded = 0;

  constructor(options: EmbeddingWorkOptions) {
    this.#options = options;
  }

  /** The store to work with from now on; the one before is closed. */
  async use(store: VectorStore | null): Promise<void> {
    const former = this.#store;
    this.#store = store;
    await former?.close().catch(() => {});
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    this.#news = true;
    if (!this.#started || this.#closing.signal.aborted || this.#running !== null) return;
    this.#running = this.#run()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#running = null;
        // What came while it was about to end.
        if (this.#news) this.wake();
      });
  }

  /** Tells what went wrong for good. */
  fail(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.problem = sentence(error);
    this.#tell();
  }

  /** See `MeaningIndex.settled`. */
  async settled(notes: readonly number[]): Promise<boolean> {
    const { records } = this.#options;
    for (;;) {
      const waiting = notes.filter((note) => records.fingerprint(note) !== null && !records.isDone(note));
      if (waiting.length === 0) return true;
      const isStuck = this.problem !== null || waiting.some((note) => records.hasFailed(note));
      if (isStuck || this.#closing.signal.aborted) return false;
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** Keys of about the nearest vectors by the store's index; null where there is none, or it gives no answer. */
  async nearest(vector: Float32Array, limit: number): Promise<readonly string[] | null> {
    try {
      return (await this.#store?.nearest?.(vector, limit)) ?? null;
    } catch {
      // A store that is no good is found out by what is put there; until then each vector is compared.
      return null;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endPause?.();
    this.#tell();
    await this.#running;
    await this.use(null);
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#news = false;
      let group: Group | null = null;
      try {
        group = await this.#gather();
        if (group === null) {
          this.#options.onIdle();
          break;
        }
        await this.#embed(group);
        this.problem = null;
        this.#failures = 0;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        await this.#recover(group, error);
      }
      this.#tell();
    }
    if (this.#groups > 0 && !this.#closing.signal.aborted) await this.#tidy();
  }

  /** The next notes, until they lack enough texts; null when none waits. */
  async #gather(): Promise<Group | null> {
    const { records, rows, textsOf } = this.#options;
    const lacking = new Map<string, string>();
    const notes: WaitingNote[] = [];
    for (const note of records.next(GROUP)) {
      const texts = await textsOf(note.id).catch((error: unknown) => {
        if (!isGroveError(error) || error.status === 503) throw error;
        return isGroveError(error, 'note_not_found') ? null : ('unreadable' as const);
      });
      if (texts === 'unreadable') {
        records.giveUp([note.id]);
        continue;
      }
      // A newer text of it has its turn next.
      if (records.fingerprint(note.id) !== note.fingerprint) continue;
      if (texts === null) {
        await rows.remove(records.drop([note.id]));
        continue;
      }
      await rows.remove(records.replaceTexts(note.id, texts));
      const byKey = new Map(texts.map(({ key, text }) => [key, text]));
      for (const { row, key } of records.textsOf(note.id))
        if (!rows.has(row)) lacking.set(key, byKey.get(key) ?? '');
      notes.push(note);
      if (lacking.size >= GROUP) break;
    }
    if (notes.length > 0) return { notes, lacking };
    return records.next(1).length === 0 ? null : await this.#gather();
  }

  async #embed({ notes, lacking }: Group): Promise<void> {
    const { records, embedder } = this.#options;
    const keys = [...lacking.keys()];
    const store = this.#store;
    if (store === null) throw new TypeError('work without a store');
    const known = await store.get(keys);
    await this.#show(known);
    const had = new Set(known.map(({ key }) => key));
    const wanted = keys.filter((key) => !had.has(key));
    for (let from = 0; from < wanted.length; from += embedder.batch) {
      const part = wanted.slice(from, from + embedder.batch);
      const vectors = await embedder.embedPassages(
        part.map((key) => lacking.get(key)!),
        this.#closing.signal,
      );
      const made = part.map((key, at) => ({ key, vector: vectors[at]! }));
      this.embedded += made.length;
      // Shown first, they would be taken for stored after a disk refused them.
      await store.put(made);
      await this.#show(made);
      this.#groups += 1;
    }
    records.finish(
      notes.filter(({ id, fingerprint }) => records.fingerprint(id) === fingerprint).map(({ id }) => id),
    );
    if (this.#groups >= COMPACT_EVERY) await this.#tidy();
  }

  /** From here on they are found. */
  async #show(vectors: readonly StoredVector[]): Promise<void> {
    const { records, rows } = this.#options;
    await rows.put(() =>
      vectors.flatMap(({ key, vector }) => records.withKey(key).map((text) => ({ ...text, vector }))),
    );
  }

  async #tidy(): Promise<void> {
    this.#groups = 0;
    await this.#store?.compact();
  }

  async #recover(group: Group | null, error: unknown): Promise<void> {
    if (errorCode(error) === 'vectors_damaged') {
      await this.#options.onLoss('The vectors were damaged or deleted.');
      return;
    }
    const isUnavailable = isGroveError(error, 'embedder_unavailable');
    if (!isUnavailable && group?.notes.length === 1 && isGroveError(error)) {
      this.#options.records.giveUp(group.notes.map(({ id }) => id));
      return;
    }
    this.problem = sentence(error);
    this.#tell();
    const given = isUnavailable && typeof error.data.retryAfterMs === 'number' ? error.data.retryAfterMs : 0;
    const isPermanent = isUnavailable && error.data.permanent === true;
    const grown = isPermanent ? LAST_PAUSE : Math.min(FIRST_PAUSE * 2 ** this.#failures, LAST_PAUSE);
    this.#failures += 1;
    await this.#wait(Math.max(given, grown));
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(end, ms);
      timer.unref();
      this.#endPause = end;
    });
    this.#endPause = null;
  }

  #tell(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }
}

function sentence(error: unknown): string {
  if (isGroveError(error)) return `${error.message} ${error.hint}`;
  return `Notes cannot be embedded: ${error instanceof Error ? error.message : String(error)}.`;
}
