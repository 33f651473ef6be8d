import type { NativeIndex } from './binding.ts';
import { handText, takeText, UNITS_PER_CALL } from './handed-text.ts';
import type { IdSet } from './id-set.ts';
import { inCalls } from './in-calls.ts';
import type {
  ExpandedTerm,
  ExpandRequest,
  FieldName,
  LexicalRequest,
  LexicalResult,
  NoteDocument,
  ScanRequest,
  ScanResult,
  TextRange,
} from './lexical-types.ts';
import { native } from './native.ts';

const DOCUMENTS_PER_CALL = 64;

export interface OpenIndexOptions {
  /** Make the index when the folder has none; default true. */
  create?: boolean;
  /** Wait for the disk at each commit; default false, since the index can be rebuilt. */
  fsync?: boolean;
}

/**
 * Opens the full-text index in a folder; one open index at a time holds a folder.
 *
 * @throws Error with `code`: `index_locked` (open elsewhere), `index_schema` (written by another version: delete
 * the folder and rebuild), `index_corrupt` (delete and rebuild), `index_missing` (with `create: false`),
 * `index_failed` (the disk said no)
 * @example const index = await openLexicalIndex('/var/lib/grove/vaults/notes/index/lexical');
 */
export async function openLexicalIndex(dir: string, options: OpenIndexOptions = {}): Promise<LexicalIndex> {
  const { create = true, fsync = false } = options;
  return new LexicalIndex(await native.openIndex(dir, create, fsync));
}

/**
 * A full-text index of notes. Nothing here blocks the event loop; changes run in the order they were called, on a
 * thread of the index's own. Every failure is an Error with a `code`: those of `openLexicalIndex`,
 * `index_closed` after `close`, `bad_argument`, `bad_regex`, `native_panic`.
 */
export class LexicalIndex {
  readonly #native: NativeIndex;
  #tail: Promise<unknown> = Promise.resolve();
  /** One scan at a time: each uses both of the index's scanning threads. */
  #scans: Promise<unknown> = Promise.resolve();
  #pending = 0;

  constructor(handle: NativeIndex) {
    this.#native = handle;
  }

  /** Documents added and removals asked for since the last commit began. */
  get pending(): number {
    return this.#pending;
  }

  /** Grows with each commit, across restarts too. */
  get generation(): number {
    return this.#native.generation;
  }

  /** What the last commit was given, or null. */
  get payload(): string | null {
    return this.#native.payload;
  }

  /** Live documents as of the last commit. */
  get documentCount(): number {
    return this.#native.documentCount;
  }

  /** Adds documents; one with the id of an earlier one replaces it. Seen by searches after `commit`. */
  async add(docs: readonly NoteDocument[]): Promise<void> {
    await this.#change(docs.length, async () => {
      for (const batch of inCalls(docs, DOCUMENTS_PER_CALL, (doc) => doc.text.length))
        await this.#hand(batch);
    });
  }

  /** Removes documents; ids that are not there are ignored. */
  async remove(ids: Uint32Array): Promise<void> {
    await this.#change(ids.length, () => this.#native.remove(ids));
  }

  /**
   * Makes all changes called before it searchable; they are when it resolves.
   *
   * @param payload kept with the commit, read back as `payload`; without it the last one stays
   */
  async commit(payload?: string): Promise<void> {
    const included = this.#pending;
    await this.#enqueue(() => this.#native.commit(payload));
    this.#pending -= included;
  }

  /** Ranks notes by BM25 (k1 1.2, b 0.75) over the View; the order and scores are those of an index of the View alone. */
  async search(request: LexicalRequest): Promise<LexicalResult> {
    const { view, filter, ...rest } = request;
    const answer = await this.#native.search(print(rest), view?.handle ?? null, filter?.handle ?? null);
    return JSON.parse(answer) as LexicalResult;
  }

  /** Looks through the stored texts, line by line. Scans of one index run one after another. */
  scan(request: ScanRequest): Promise<ScanResult> {
    const { view, filter, ...rest } = request;
    const scan = this.#scans.then(() =>
      this.#native.scan(print(rest), view?.handle ?? null, filter?.handle ?? null),
    );
    this.#scans = scan.catch(() => undefined);
    return scan.then((answer) => JSON.parse(answer) as ScanResult);
  }

  /** Words of the View near `text` or starting with it, by distance, then frequency, then alphabet. */
  async expand(request: ExpandRequest): Promise<ExpandedTerm[]> {
    const { view, ...rest } = request;
    return JSON.parse(await this.#native.expand(print(rest), view?.handle ?? null)) as ExpandedTerm[];
  }

  /**
   * In how many notes of the View each term stands in a field, in the order of `terms`.
   *
   * @param terms as `tokens` gives them (exact ones for exact fields, `tags` and `path`)
   */
  documentFrequencies(terms: string[], field: FieldName, view: IdSet | null): Promise<Uint32Array> {
    return this.#native.documentFrequencies(terms, field, view?.handle ?? null);
  }

  /** The stored text of a note as of the last commit, or null. */
  async text(id: number): Promise<string | null> {
    const handed = await this.#native.text(id);
    return handed === null ? null : await takeText(handed);
  }

  /**
   * Parts of stored texts, as `slice` of the whole text would give them; null for a note that is not there.
   *
   * @param places offsets in UTF-16 units; short parts, for they are converted in one go
   */
  parts(places: readonly TextRange[]): Promise<(string | null)[]> {
    const all = (key: keyof TextRange) => Uint32Array.from(places, (place) => place[key]);
    return this.#native.parts(all('id'), all('start'), all('end'));
  }

  /** Names of files whose checksum is wrong; reads the whole index. */
  damagedFiles(): Promise<string[]> {
    return this.#native.damagedFiles();
  }

  /** Ends the index's threads and frees its folder. What was not committed is lost. */
  async close(): Promise<void> {
    await this.#enqueue(() => this.#native.close());
  }

  async #hand(batch: NoteDocument[]): Promise<void> {
    const [first] = batch;
    if (first === undefined || first.text.length <= UNITS_PER_CALL) await this.#native.add(batch);
    else await this.#native.addHanded({ ...first, text: '' }, await handText(first.text));
  }

  async #change(count: number, step: () => Promise<unknown>): Promise<void> {
    this.#pending += count;
    try {
      await this.#enqueue(step);
    } catch (error) {
      this.#pending -= count;
      throw error;
    }
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const run = this.#tail.then(step);
    this.#tail = run.catch(() => undefined);
    return run;
  }
}

/** A request as JSON. Lone surrogates, which JSON in UTF-8 cannot carry, become U+FFFD. */
function print(request: object): string {
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}
