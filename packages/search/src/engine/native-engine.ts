import {
  IdSet,
  type LexicalIndex as NativeIndex,
  type LexicalRequest as NativeRequest,
  type ScanRequest as NativeScan,
  openLexicalIndex,
  tokens,
} from '@grove/native';
import type {
  ExpandedTerm,
  ExpandRequest,
  FieldName,
  LexicalEngine,
  LexicalIndex,
  LexicalRequest,
  LexicalResult,
  NoteDocument,
  NoteSet,
  ScanHit,
  ScanRequest,
  TextRange,
} from './port.ts';

/** The engine of `packages/native` (Tantivy). */
export const nativeEngine: LexicalEngine = {
  async open(dir) {
    return new NativeLexicalIndex(await openLexicalIndex(dir, { create: true, fsync: false }));
  },
  setOf: (ids) => IdSet.of(ids),
  tokens,
};

class NativeLexicalIndex implements LexicalIndex {
  readonly #native: NativeIndex;

  constructor(index: NativeIndex) {
    this.#native = index;
  }

  get documentCount(): number {
    return this.#native.documentCount;
  }

  get pending(): number {
    return this.#native.pending;
  }

  get payload(): string | null {
    return this.#native.payload;
  }

  async add(documents: readonly NoteDocument[]): Promise<void> {
    await this.#native.add(documents as Parameters<NativeIndex['add']>[0]);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#native.remove(Uint32Array.from(ids));
  }

  async commit(payload: string): Promise<void> {
    await this.#native.commit(payload);
  }

  async search(request: LexicalRequest): Promise<LexicalResult> {
    const { query, view, filter, limit, snippets } = request;
    const { total, hits } = await this.#native.search({
      query: query as NativeRequest['query'],
      view: setIn(view),
      limit,
      ...(filter === null ? {} : { filter: setIn(filter) }),
      ...(snippets === null ? {} : { snippets }),
    });
    return { total, hits: hits.map(({ id, score, snippets = [] }) => ({ id, score, snippets })) };
  }

  async scan(request: ScanRequest): Promise<readonly ScanHit[]> {
    const { view, filter, words, regex, linesPerNote } = request;
    const scan: NativeScan = { view: setIn(view), words: [...words], linesPerNote, maxNotes: view.size };
    if (filter !== null) scan.filter = setIn(filter);
    if (regex !== null) scan.regex = regex;
    return (await this.#native.scan(scan)).hits;
  }

  async expand(request: ExpandRequest): Promise<readonly ExpandedTerm[]> {
    return await this.#native.expand({ ...request, view: setIn(request.view) });
  }

  async documentFrequencies(words: readonly string[], field: FieldName, view: NoteSet): Promise<Uint32Array> {
    return await this.#native.documentFrequencies([...words], field, setIn(view));
  }

  text(id: number): Promise<string | null> {
    return this.#native.text(id);
  }

  parts(places: readonly TextRange[]): Promise<readonly (string | null)[]> {
    return this.#native.parts(places);
  }

  damagedFiles(): Promise<readonly string[]> {
    return this.#native.damagedFiles();
  }

  close(): Promise<void> {
    return this.#native.close();
  }
}

/** The native set behind the port's type; only sets that this engine made are ever handed in. */
function setIn(set: NoteSet): IdSet {
  if (set instanceof IdSet) return set;
  throw new TypeError('The set was made by another engine.');
}
