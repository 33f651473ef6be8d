/** Fields of an indexed note. Without suffix: stemmed; `_exact`: as written. Tags and path are exact only. */
export type FieldName =
  | 'title'
  | 'aliases'
  | 'headings'
  | 'tags'
  | 'path'
  | 'properties'
  | 'body'
  | 'title_exact'
  | 'aliases_exact'
  | 'headings_exact'
  | 'properties_exact'
  | 'body_exact';

/** Weight of each field that a leaf looks in. */
export type FieldWeights = Readonly<Partial<Record<FieldName, number>>>;

/**
 * A query as the engine takes it; every node may carry a `boost`. Fields of a leaf are combined by dis-max.
 * `word`: a text of several words (`real-time`, a run of CJK) must stand together. `prefix` and `fuzzy` look
 * in the exact forms of their fields. Score: the sum over `must` and `should`, of `all` 1.
 */
export type QueryNode =
  | { readonly kind: 'word'; readonly text: string; readonly fields?: FieldWeights; readonly boost?: number }
  | {
      readonly kind: 'phrase';
      readonly text: string;
      readonly fields?: FieldWeights;
      readonly slop?: number;
      readonly boost?: number;
    }
  | {
      readonly kind: 'prefix';
      readonly text: string;
      readonly fields?: FieldWeights;
      readonly boost?: number;
    }
  | {
      readonly kind: 'fuzzy';
      readonly text: string;
      readonly distance: 1 | 2;
      readonly fields?: FieldWeights;
      readonly boost?: number;
    }
  | { readonly kind: 'all'; readonly boost?: number }
  | {
      readonly kind: 'bool';
      readonly must?: readonly QueryNode[];
      readonly should?: readonly QueryNode[];
      readonly not?: readonly QueryNode[];
      /** How many of `should` must match; default 1 without `must`, else 0. */
      readonly minimumShould?: number;
      readonly boost?: number;
    };

/** One note as the engine stores and indexes it. */
export interface NoteDocument {
  readonly id: number;
  readonly path: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly headings: readonly string[];
  readonly tags: readonly string[];
  /** Text of the properties that have no field of their own. */
  readonly properties: string;
  /** The whole file's text. */
  readonly text: string;
  /** UTF-16 offset in `text` at which the body starts. */
  readonly bodyStart: number;
}

/** A set of note ids in the engine's own form, made by {@link LexicalEngine.setOf}. */
export interface NoteSet {
  readonly size: number;
  has(id: number): boolean;
}

export interface EngineSnippet {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly marks: readonly number[];
  readonly score: number;
}

export interface LexicalRequest {
  readonly query: QueryNode;
  /** Hits and statistics are over these notes only. */
  readonly view: NoteSet;
  /** Restricts hits further; statistics stay the View's. */
  readonly filter: NoteSet | null;
  readonly limit: number;
  /** `terms`: more words that steer which part is shown. */
  readonly snippets: { readonly chars: number; readonly perNote: number; readonly terms: string } | null;
}

export interface LexicalResult {
  /** Exact count of the notes that match. */
  readonly total: number;
  /** By score, then path. */
  readonly hits: readonly {
    readonly id: number;
    readonly score: number;
    readonly snippets: readonly EngineSnippet[];
  }[];
}

/** A part of a note's text, from one offset to another in UTF-16 units. */
export interface TextRange {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

export interface ScanRequest {
  readonly view: NoteSet;
  readonly filter: NoteSet | null;
  /** Each must occur in the note, case-insensitively. */
  readonly words: readonly string[];
  /** Linear-time regular expression, or null. */
  readonly regex: string | null;
  /** Lines returned of each note. */
  readonly linesPerNote: number;
}

export interface ScanHit {
  readonly id: number;
  /** Lines that match, in all. */
  readonly lineCount: number;
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly marks: readonly number[];
  }[];
}

export interface ExpandRequest {
  readonly match: 'prefix' | 'fuzzy';
  readonly text: string;
  readonly distance: 1 | 2;
  readonly view: NoteSet;
  readonly limit: number;
}

export interface ExpandedTerm {
  readonly term: string;
  /** Notes of the View that hold it; never 0. */
  readonly documents: number;
  readonly distance: number;
}

/**
 * A full-text index of one vault. Errors carry a `code`: `bad_regex` from {@link scan}, `index_corrupt`,
 * `index_schema`, `index_locked`, `native_panic`, or the system's own (`ENOSPC`).
 */
export interface LexicalIndex {
  /** Documents as of the last commit. */
  readonly documentCount: number;
  /** Documents added or removed since the last commit. */
  readonly pending: number;
  /** What the last commit was given, or null. */
  readonly payload: string | null;
  /** Replaces documents by id. One call of add, remove, commit at a time. */
  add(documents: readonly NoteDocument[]): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
  /** Everything before is searchable when it resolves. */
  commit(payload: string): Promise<void>;
  search(request: LexicalRequest): Promise<LexicalResult>;
  /** Notes ordered by path. */
  scan(request: ScanRequest): Promise<readonly ScanHit[]>;
  /** Words of the View near `text` or starting with it, by distance, frequency, alphabet. */
  expand(request: ExpandRequest): Promise<readonly ExpandedTerm[]>;
  /** In how many of the View's notes each token (as {@link LexicalEngine.tokens} gives it) stands in the field. */
  documentFrequencies(tokens: readonly string[], field: FieldName, view: NoteSet): Promise<ArrayLike<number>>;
  /** Stored text of a note, or null. */
  text(id: number): Promise<string | null>;
  /** Short parts of stored texts, in the order of `places`; null for a note that is not there. */
  parts(places: readonly TextRange[]): Promise<readonly (string | null)[]>;
  /** Files whose checksum is wrong. */
  damagedFiles(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The maker of indexes, and the tokenizer that they share. */
export interface LexicalEngine {
  /** Opens the index in the folder `dir`, or creates it. Rejects with a `code` as {@link LexicalIndex}. */
  open(dir: string): Promise<LexicalIndex>;
  setOf(ids: Uint32Array): NoteSet;
  /** The words that indexing makes of a text: stemmed, or exact. */
  tokens(text: string, exact: boolean): readonly string[];
}
