import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, errorCode, Slices } from '@grove/core';
import type { CatalogDelta, NoteRow, Vault, View } from '@grove/vault';
import type { EmbeddedCounts, MeaningHealth } from '../contract.ts';
import type { NoteSet } from '../engine/port.ts';
import { EmbeddingWork } from './embedding-work.ts';
import { inTime } from './in-time.ts';
import { loadVectors } from './load-vectors.ts';
import { meaningTexts } from './meaning-texts.ts';
import { MemorySnapshot } from './memory-snapshot.ts';
import type { Embedder, VectorStore } from './port.ts';
import { MeaningRecords, type TextPlace, type WaitingNote } from './records/meaning-records.ts';
import { type MeaningHit, type NearParts, VectorRows } from './vector-rows.ts';

/** Notes of a delta up to which their texts are made at once; a scan brings more, which wait for their turn. */
const FEW_NOTES = 16;
/** Pause before another try to note down changes that the disk refused. */
const CATCH_UP_MS = 5_000;

/** Parts that the index of a very large vault is asked for: twice the notes that are looked at for theirs. */
const NEAR_PARTS = 600;

/** Opens, or makes, the store of vectors in a folder. Rejects with the code `vectors_damaged`. */
export type OpenVectorStore = (dir: string, dimensions: number) => Promise<VectorStore>;

export interface MeaningIndexOptions {
  readonly vault: Vault;
  /** Folder of this model's index alone; made when missing. */
  readonly dir: string;
  readonly embedder: Embedder;
  readonly openStore: OpenVectorStore;
  readonly clock: Clock;
  /**
   * False: notes are embedded only while somebody waits for them. For a process that ends after one call: it searches
   * what is there and leaves the rest to one that stays.
   */
  readonly background?: boolean;
  /**
   * True for a model that was used before and answers until the new one is whole: what it lacks is left out of it, and so
   * is what changes, unless it is a few notes and their texts stay on this machine.
   */
  readonly isFormer?: boolean;
  /** Longest wait (ms) of a search for vectors; a second when left out. */
  readonly patienceMs?: number;
}

/**
 * The vectors of one model for the notes of one vault: on disk, in memory, and in step with the notes. A text that was
 * embedded once is not embedded again, whichever note it stands in.
 */
export class MeaningIndex {
  readonly embedder: Embedder;
  /** Resolves when what is on disk is in memory, and every note of the vault is known. */
  readonly ready: Promise<void>;
  readonly #loaded: Promise<void>;
  readonly #options: MeaningIndexOptions;
  readonly #records: MeaningRecords;
  readonly #rows: VectorRows;
  readonly #snapshot: MemorySnapshot;
  readonly #work: EmbeddingWork;
  readonly #unsubscribe: () => void;
  #rebuilt: string | null = null;
  #store: VectorStore['kind'] | null = null;
  /** What is on disk is in memory. */
  #isWhole = false;
  #compared = false;
  #catchUp: NodeJS.Timeout | null = null;
  #closed = false;

  /** Call it in the turn in which the vault was opened: what changes from then on is taken in. */
  constructor(options: MeaningIndexOptions) {
    const { vault, dir, embedder } = options;
    this.#options = options;
    this.embedder = embedder;
    this.#records = new MeaningRecords(join(dir, 'records.db'), vault.catalogId);
    this.#rows = new VectorRows(embedder.dimensions);
    const [records, rows] = [this.#records, this.#rows];
    this.#snapshot = new MemorySnapshot({ records, rows, dir, label: embedder.id });
    this.#work = new EmbeddingWork({
      records,
      rows,
      embedder,
      textsOf: (note) => this.#textsOf(note),
      onLoss: (reason) => this.#startAnew(reason),
      onIdle: () => this.#snapshot.settle(),
    });
    this.#unsubscribe = vault.onDelta((delta) => this.#take(delta));
    this.#loaded = this.#load();
    this.ready = this.#begin();
    this.#loaded.catch(() => {});
    // Whoever waits hears of it; progress tells the others.
    this.ready.catch((error: unknown) => this.#work.fail(error));
  }

  /** Resolves with true when what is on disk is in memory, with false when that takes longer or fails. */
  async loadedWithin(ms: number): Promise<boolean> {
    const loaded = this.#loaded.then(
      () => true,
      () => false,
    );
    return await inTime(loaded, ms, false);
  }

  /** Nearest notes of a View, nearest first. */
  search(
    vector: Float32Array,
    among: { view: NoteSet; filter: NoteSet | null; limit: number },
  ): Promise<readonly MeaningHit[]> {
    return this.#rows.search(vector, among, this.#nearParts(among));
  }

  /** For the whole of a very large vault: the store's index knows what is near without a look at each part. */
  #nearParts({ view, filter }: { view: NoteSet; filter: NoteSet | null }): NearParts | null {
    if (filter !== null || view.size < this.#options.vault.ownerView().size) return null;
    return async (vector) => {
      const keys = await this.#work.nearest(vector, NEAR_PARTS);
      return keys === null ? null : this.#records.notesOf(keys);
    };
  }

  /** How near notes are; those without a vector are left out. */
  scores(vector: Float32Array, notes: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.#rows.scores(vector, notes);
  }

  /** Of each of these notes where its nearest part stands, of a short note its body. */
  async nearestPlaces(
    vector: Float32Array,
    notes: readonly number[],
  ): Promise<ReadonlyMap<number, TextPlace>> {
    const parts = await this.#rows.nearestParts(vector, notes);
    const rows = notes.flatMap((note) => {
      const row = parts.get(note) ?? this.#records.headOf(note);
      return row === null ? [] : [[note, row] as const];
    });
    return new Map(
      rows.flatMap(([note, row]) => {
        const place = this.#records.place(row);
        // A number that was given to another note meanwhile says nothing of this one.
        return place === null || place.note !== note ? [] : [[note, place] as const];
      }),
    );
  }

  /** The middle of each note's own vectors, of length 1; notes without vectors are left out. */
  middles(notes: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> {
    return this.#rows.middles(notes);
  }

  /** How many of these notes have all of their vectors. */
  done(notes: Uint32Array): number {
    return this.#records.done(notes);
  }

  /** How many of these notes have not all of their vectors yet. */
  lacking(notes: Uint32Array): number {
    // Until the notes were compared with the records, those that are new are not known.
    const unknown = this.#compared ? 0 : this.#records.unknown(notes);
    return this.#records.lacking(notes) + unknown;
  }

  /** How many of these notes are embedded. */
  counts(notes: Uint32Array): EmbeddedCounts {
    const total = notes.length;
    return { total, done: total - this.lacking(notes), failed: this.#records.failed(notes) };
  }

  health(): Omit<MeaningHealth, 'former'> {
    const { model, host } = this.embedder;
    const { problem, embedded } = this.#work;
    return {
      model,
      host,
      ...this.#records.counts(),
      problem,
      rebuilt: this.#rebuilt,
      note: this.embedder.note?.() ?? null,
      embedded,
      vectors: this.#rows.size,
      store: this.#store,
    };
  }

  /** True when every one of these notes is embedded; false as soon as the embedder is found to fail. */
  async settled(notes: readonly number[]): Promise<boolean> {
    const isReady = await this.ready.then(
      () => true,
      () => false,
    );
    if (!isReady || this.#catchUp !== null) return false;
    if (!this.#isFrozen) this.#work.start();
    return await this.#work.settled(notes);
  }

  /** Stops; what was not embedded yet is the first work of the next start. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe();
    if (this.#catchUp !== null) clearTimeout(this.#catchUp);
    await this.ready.catch(() => {});
    await this.#work.close();
    // Short processes come by the dozen; what one changes, the next start finds out.
    const saves = this.#options.background === false ? 'missing' : 'changed';
    await this.#snapshot.close(this.#isWhole ? saves : 'never');
    this.#records.close();
  }

  async #begin(): Promise<void> {
    await this.#loaded;
    await this.#options.vault.ready;
    if (this.#closed) return;
    await this.#compare();
    if (this.#options.background !== false && !this.#isFrozen) this.#work.start();
  }

  /** True when it gets no vectors any more. */
  get #isFrozen(): boolean {
    return this.#options.isFormer === true && this.embedder.host !== null;
  }

  /** The vectors of these notes are not there: they wait for them, or do without from now on. */
  #lack(notes: readonly number[]): readonly number[] {
    if (this.#options.isFormer === true) return this.#records.leaveOut(notes);
    this.#records.reopen(notes);
    return [];
  }

  /** Brings the vectors from disk into memory; a store that is damaged or gone is made anew. */
  async #load(): Promise<void> {
    const { dir, openStore, embedder, isFormer = false } = this.#options;
    const folder = join(dir, 'store');
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { store, lacking } = await loadVectors({
          records: this.#records,
          rows: this.#rows,
          snapshot: this.#snapshot,
          folder,
          open: () => openStore(folder, embedder.dimensions),
          // A model that is chosen again finds there what it made.
          removesUnused: !isFormer,
          isClosed: () => this.#closed,
        });
        await this.#work.use(store);
        this.#store = store.kind;
        await this.#rows.remove(this.#lack(lacking));
        this.#isWhole = !this.#closed;
        return;
      } catch (error) {
        if (attempt > 0 || errorCode(error) !== 'vectors_damaged') throw error;
        this.#rebuilt = 'The vectors were damaged.';
        await this.#empty(folder);
      }
    }
  }

  async #empty(folder: string): Promise<void> {
    this.#isWhole = false;
    await this.#rows.clear();
    await this.#snapshot.forget();
    await rm(folder, { recursive: true, force: true });
  }

  /** Finds what changed while this was closed, or could not be noted down: by what the catalog knows, no note is read. */
  async #compare(): Promise<void> {
    const { vault } = this.#options;
    const { sequence } = vault;
    const view = vault.ownerView();
    const slices = new Slices();
    const changed: WaitingNote[] = [];
    for (const id of this.#uncompared(view)) {
      if (slices.spent) await slices.rest();
      const row = view.byId(id);
      if (row !== null && !row.conflictCopy && this.#isNew(row))
        changed.push(waitingNote(row, modified(row)));
    }
    const gone = this.#records.noteIds().filter((id) => isOut(view.byId(id)));
    const rows = this.#records.drop(gone);
    if (this.#options.isFormer === true)
      rows.push(...this.#records.leaveOut([...this.#records.openIds(), ...changed.map(({ id }) => id)]));
    else {
      this.#records.retryFailed();
      this.#records.wait(changed);
    }
    if (this.#records.comparedAt !== sequence) this.#records.comparedAt = sequence;
    this.#compared = true;
    await this.#rows.remove(rows);
  }

  /** The notes that may be others than the records know: all, where the catalog cannot tell what changed. */
  #uncompared(view: View): Iterable<number> {
    const since = this.#records.comparedAt;
    const changes = since === null ? null : this.#options.vault.changesSince(since);
    if (changes === null) return view.ids();
    // A note that was out of reach, or hidden by settings, comes back without a change.
    return new Set([...changes.upserted.map(({ id }) => id), ...this.#records.unrecorded(view.ids())]);
  }

  async #take(delta: CatalogDelta): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#apply(delta);
    } catch (error) {
      // A disk that is full, as a rule. What was missed is found by comparing all notes once more.
      this.#compared = false;
      this.#work.fail(error);
      this.#catchUpLater();
    }
  }

  #catchUpLater(): void {
    this.#catchUp ??= setTimeout(async () => {
      this.#catchUp = null;
      if (this.#closed) return;
      try {
        await this.#compare();
        this.#work.wake();
      } catch (error) {
        if (this.#closed) return;
        this.#work.fail(error);
        this.#catchUpLater();
      }
    }, CATCH_UP_MS).unref();
  }

  async #apply({ upserted, texts, removed }: CatalogDelta): Promise<void> {
    const out = [...removed, ...upserted.filter((row) => row.conflictCopy)].map(({ id }) => id);
    const gone = this.#records.drop(out);
    const changed = upserted.filter((row) => !row.conflictCopy && this.#isNew(row));
    const now = this.#options.clock.now();
    const few = changed.length <= FEW_NOTES;
    if (this.#isFrozen || (this.#options.isFormer === true && !few)) {
      await this.#rows.remove([...gone, ...this.#records.leaveOut(changed.map(({ id }) => id))]);
      return;
    }
    this.#records.wait(changed.map((row) => waitingNote(row, few ? now : modified(row))));
    // At once, so that no search shows a part that is not there any more; of a new note nothing is shown yet.
    for (const [at, row] of few ? upserted.entries() : [])
      if (changed.includes(row) && this.#records.headOf(row.id) !== null)
        gone.push(...this.#records.replaceTexts(row.id, meaningTexts(row, texts[at]!)));
    if (gone.length > 0) await this.#rows.remove(gone);
    this.#work.wake();
  }

  async #textsOf(note: number) {
    const view = this.#options.vault.ownerView();
    const row = view.byId(note);
    if (row === null) return null;
    const served = await view.read(row);
    return meaningTexts(served.row, served.note);
  }

  #isNew(row: NoteRow): boolean {
    return this.#records.fingerprint(row.id) !== fingerprintOf(row);
  }

  /** The folder of the vectors is gone or no good: everything waits again, and nothing else is touched. */
  async #startAnew(reason: string): Promise<void> {
    this.#rebuilt = reason;
    await this.#work.use(null);
    await this.#empty(join(this.#options.dir, 'store'));
    this.#lack(this.#records.noteIds());
    await this.#load();
  }
}

function isOut(row: NoteRow | null): boolean {
  return row === null || row.conflictCopy;
}

function waitingNote(row: NoteRow, touched: number): WaitingNote {
  return { id: row.id, fingerprint: fingerprintOf(row), touched };
}

/** Of all that {@link meaningTexts} makes of a note: its bytes, and its name. */
function fingerprintOf({ contentHash, name }: NoteRow): string {
  return createHash('sha256').update(`${contentHash}\n${name}`).digest('base64url').slice(0, 22);
}

/** When the file was saved, in milliseconds. */
function modified({ stat }: NoteRow): number {
  return Math.floor(Number(stat.mtimeNs) / 1e6);
}
