/** What the compiled module exports; wrapped by the files beside this one and not exported from the package. */
export interface Binding {
  version(): { crateVersion: string; tantivy: string; schema: number };
  tokens(text: string, exact: boolean): string[];
  /** Panic, for a test. */
  provokePanic(): void;
  provokePanicAsync(): Promise<undefined>;
  outline(text: string): OutlineArrays;
  outlineMany(texts: string[]): Promise<OutlineArrays[]>;
  outlineHanded(text: NativeText): Promise<LongOutlineArrays>;
  HandedText: new () => NativeText;
  IdSet: { of(ids: Uint32Array): NativeIdSet };
  openIndex(dir: string, create: boolean, fsync: boolean): Promise<NativeIndex>;
  VectorSet: new (dimensions: number) => NativeVectorSet;
  LinearRegex: new (
    pattern: string,
    caseInsensitive: boolean,
    multiLine: boolean,
    dotAll: boolean,
  ) => NativeRegex;
  compileRegex(
    pattern: string,
    caseInsensitive: boolean,
    multiLine: boolean,
    dotAll: boolean,
  ): Promise<NativeRegex>;
}

export interface OutlineArrays {
  records: Uint32Array;
  runs: Uint32Array;
  /** All strings one after the other; `stringEnds` says where each ends, in UTF-16 units. */
  strings: string;
  stringEnds: Uint32Array;
}

export interface LongOutlineArrays extends Omit<OutlineArrays, 'strings'> {
  strings: NativeText;
}

/** A long text on the compiled side, handed over in parts. */
export interface NativeText {
  push(part: string): void;
  /** Null behind the last part. */
  part(index: number): string | null;
}

export interface NativeIdSet {
  readonly size: number;
  has(id: number): boolean;
  toArray(): Uint32Array;
}

export interface NativeDocument {
  id: number;
  path: string;
  title: string;
  aliases: string[];
  headings: string[];
  tags: string[];
  properties: string;
  text: string;
  bodyStart: number;
}

export interface NativeIndex {
  readonly generation: number;
  readonly payload: string | null;
  readonly documentCount: number;
  add(docs: readonly NativeDocument[]): Promise<undefined>;
  addHanded(doc: NativeDocument, text: NativeText): Promise<void>;
  remove(ids: Uint32Array): Promise<undefined>;
  commit(payload: string | undefined): Promise<undefined>;
  search(request: string, view: NativeIdSet | null, filter: NativeIdSet | null): Promise<string>;
  scan(request: string, view: NativeIdSet | null, filter: NativeIdSet | null): Promise<string>;
  expand(request: string, view: NativeIdSet | null): Promise<string>;
  documentFrequencies(terms: string[], field: string, view: NativeIdSet | null): Promise<Uint32Array>;
  text(id: number): Promise<NativeText | null>;
  parts(ids: Uint32Array, starts: Uint32Array, ends: Uint32Array): Promise<(string | null)[]>;
  damagedFiles(): Promise<string[]>;
  close(): Promise<undefined>;
}

export interface NativeVectorMatches {
  rows: Uint32Array;
  notes: Uint32Array;
  scores: Float32Array;
}

/** Parallel lists. */
export interface NoteScores {
  notes: Uint32Array;
  scores: Float32Array;
}

export interface NativeVectorSet {
  readonly size: number;
  readonly bytes: number;
  has(row: number): boolean;
  upsert(
    rows: Uint32Array,
    notes: Uint32Array,
    vectors: Float32Array,
    keys: Uint8Array | undefined,
  ): Promise<undefined>;
  remove(rows: Uint32Array): void;
  search(
    query: Float32Array,
    limit: number,
    perNote: boolean,
    view: NativeIdSet | null,
    filter: NativeIdSet | null,
  ): Promise<NativeVectorMatches>;
  best(query: Float32Array, notes: Uint32Array): Promise<{ rows: Uint32Array; scores: Float32Array }>;
  bestNow(query: Float32Array, notes: Uint32Array): { rows: Uint32Array; scores: Float32Array } | null;
  sums(notes: Uint32Array): Promise<{ sums: Float64Array; counts: Uint32Array }>;
  sumsNow(notes: Uint32Array): { sums: Float64Array; counts: Uint32Array } | null;
  nearest(
    other: NativeVectorSet,
    query: Float32Array,
    limit: number,
    view: NativeIdSet | null,
    filter: NativeIdSet | null,
  ): Promise<NoteScores>;
  means(other: NativeVectorSet, query: Float32Array, notes: Uint32Array): Promise<Float32Array>;
  meansNow(other: NativeVectorSet, query: Float32Array, notes: Uint32Array): Float32Array | null;
  save(path: string, label: string): Promise<undefined>;
  load(path: string, label: string): Promise<boolean>;
  retain(rows: Uint32Array, notes: Uint32Array, keys: Uint8Array): Promise<Uint32Array>;
}

export interface NativeRegex {
  test(text: string): boolean;
  matches(text: string, limit: number): Uint32Array;
  matchesAsync(text: string, limit: number): Promise<Uint32Array>;
  captures(text: string, from: number): Int32Array | null;
  groupNames(): (string | null)[];
  replaceAll(text: string, replacement: string): string;
  replaceAllAsync(text: string, replacement: string): Promise<string>;
}
