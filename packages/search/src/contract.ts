import type { NoteRow, View } from '@grove/vault';

/** The kinds of search of the query tool. vec, hyde and like answer by words while no embedder is there. */
export type SearchType = 'lex' | 'vec' | 'hyde' | 'text' | 'regex' | 'like';

export interface SearchList {
  readonly type: SearchType;
  readonly query: string;
  /**
   * For `vec`: the query is in the lex language. What it excludes, requires and filters holds, and its words alone are
   * embedded.
   */
  readonly operators?: boolean;
}

export interface SearchRequest {
  /** Fused together; never empty. */
  readonly searches: readonly SearchList[];
  /** Steers snippets and breaks near-ties; never decides membership. */
  readonly intent: string | null;
  /** Ids to which hits are restricted (filters), or null. Statistics stay the View's. */
  readonly within: Uint32Array | null;
  readonly limit: number;
  readonly offset: number;
  /** Snippets a note: 1 for hits, more for passages. */
  readonly snippets: number;
}

export interface Snippet {
  /** The raw slice of the file's text, at most 240 UTF-16 units, not cutting a grapheme. */
  readonly text: string;
  /** UTF-16 offset of `text` in the file's text. */
  readonly start: number;
  /** 1-based line of the file. */
  readonly line: number;
  /** Pairs of UTF-16 offsets within `text` to emphasise. */
  readonly marks: readonly number[];
}

export interface LineHit {
  readonly line: number;
  readonly text: string;
  readonly marks: readonly number[];
}

/** Which search found the note, at which rank (from 1), with its own score. */
export interface Finding {
  readonly search: number;
  readonly type: SearchType;
  readonly rank: number;
  readonly score: number;
}

export interface SearchHit {
  readonly row: NoteRow;
  /** Fused score; comparable within one answer only. */
  readonly score: number;
  /** An exact title, name or alias match, which comes first. */
  readonly exact: boolean;
  readonly snippets: readonly Snippet[];
  /** For text and regex: the first ten lines that match, of `lineCount`. */
  readonly lines: readonly LineHit[];
  readonly lineCount: number;
  readonly found: readonly Finding[];
}

export interface SearchAnswer {
  /** Notes that match in all, or null when not known. */
  readonly total: number | null;
  readonly hits: readonly SearchHit[];
  /** Sentences for the caller, such as "vec answered by words: no embedder is configured". */
  readonly remarks: readonly string[];
  /** On a miss: words of the View near the query's, best first. */
  readonly suggestions: readonly string[];
}

/** Search by meaning: its model, and how far the notes are embedded. */
export interface MeaningHealth {
  readonly model: string;
  /** Where texts are sent; null: they stay on this machine. */
  readonly host: string | null;
  /** Notes, and those of them whose every text has its vector. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly problem: string | null;
  /** Why vectors are made anew, when they were lost. */
  readonly rebuilt: string | null;
  /** What the owner should know of how the model runs, as a sentence. */
  readonly note: string | null;
  /** Texts embedded since the vault was opened: 0 after an unchanged restart. */
  readonly embedded: number;
  /** Vectors in memory. */
  readonly vectors: number;
  /** Where vectors are kept; null while that is being opened, or cannot be. */
  readonly store: 'lancedb' | 'sqlite' | null;
  /** The model before it, while that answers because it reaches more notes (`done`); null when it does not. */
  readonly former: { readonly model: string; readonly host: string | null; readonly done: number } | null;
}

/** Two notes that say nearly the same. */
export interface AlikePair {
  readonly a: NoteRow;
  readonly b: NoteRow;
  /** The cosine of what they mean, at most 1. */
  readonly likeness: number;
}

/** How many of some notes can be found by meaning. */
export interface EmbeddedCounts {
  readonly total: number;
  readonly done: number;
  /** Could not be embedded; they wait for the next start, or for their next change. */
  readonly failed: number;
}

export interface SearchHealth {
  readonly state: 'opening' | 'ready' | 'rebuilding' | 'failed' | 'closed';
  readonly problem: string | null;
  readonly documents: number;
  readonly pending: number;
  /** Notes in a new index that is made beside this one, which goes on answering; null when none is made. */
  readonly renewed: number | null;
  /** Why the index was built anew, when it was. */
  readonly rebuilt: string | null;
  /** Null where no embedding model is set up. */
  readonly meaning: MeaningHealth | null;
  /** Why there is no search by meaning though a model is set up, as a sentence. */
  readonly meaningProblem: string | null;
}

/** Notes whose text matches. */
export interface MatchingTexts {
  readonly ids: ReadonlySet<number>;
  /** Rows that the catalog wrote by this sequence were matched as they are; nothing is said of those written later. */
  readonly upTo: number;
}

/** The search engine of one vault. */
export interface VaultSearch {
  /** Resolves when the index holds every note of the opened vault. */
  readonly ready: Promise<void>;
  /**
   * Ranks the View's notes. Nothing in a query string throws: what does not parse is searched literally.
   * `bad_regex` for a regular expression that does not compile; `index_unavailable` while there is no index.
   */
  search(view: View, request: SearchRequest): Promise<SearchAnswer>;
  /**
   * The operator of a query in the lex language that keeps a note of the View out, such as `-draft`; null when none does.
   * `within` is that of the request.
   */
  operatorAgainst(view: View, query: string, within: Uint32Array | null, id: number): Promise<string | null>;
  /**
   * How many of the View's notes `among` these hold the words in their text, in this order and next to each other, as
   * they are spelt but for case; null while there is no index. Writes of the last moments may not be counted yet: this
   * waits for none.
   */
  notesSaying(view: View, words: string, among: Uint32Array): Promise<number | null>;
  /**
   * Which of these notes of the View match a regular expression (linear-time, `^` and `$` at lines) somewhere in their
   * whole text, frontmatter included. Null while the index cannot tell, and for an expression that it does not take.
   */
  textsMatching(view: View, regex: string, among: Uint32Array): Promise<MatchingTexts | null>;
  /** The whole text of a note of the View just as this row has it, or null where only its file can tell. */
  textOf(view: View, row: NoteRow): Promise<string | null>;
  health(): SearchHealth;
  /** How many of the View's notes are embedded by the model that is set up; null where there is none. */
  embeddedOf(view: View): EmbeddedCounts | null;
  /** Whether a search of the View finds a note by meaning; null where no embedding model is set up. */
  isEmbedded(view: View, id: number): boolean | null;
  /**
   * The notes of the View that say nearly the same, of those that are embedded by the model that is set up; null where
   * there is none. Not `isWhole` when that takes longer than `patienceMs`: it goes on, for whoever asks again.
   */
  alikeNotes(
    view: View,
    patienceMs: number,
  ): Promise<{ readonly pairs: readonly AlikePair[]; readonly isWhole: boolean } | null>;
  /**
   * Resolves with true when every one of these notes can be found by meaning; with false as soon as the embedder is
   * found to fail, and where there is none.
   */
  embedded(ids: readonly number[]): Promise<boolean>;
  /** Builds the index anew from the vault; resolves when it holds every note. A sound one answers meanwhile. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}
