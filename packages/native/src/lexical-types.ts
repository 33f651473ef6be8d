import type { IdSet } from './id-set.ts';

/** Fields in their stemmed form, except `tags` and `path`, which are kept exact only. */
export type PlainFieldName = 'title' | 'aliases' | 'headings' | 'tags' | 'path' | 'properties' | 'body';
/** Unstemmed twins; they keep the suffix of `C++`, `C#`. */
export type ExactFieldName =
  | 'title_exact'
  | 'aliases_exact'
  | 'headings_exact'
  | 'properties_exact'
  | 'body_exact';
export type FieldName = PlainFieldName | ExactFieldName;

/** Fields to look in, with the factor each one's score is multiplied by. Default: the plain ones, each 1. */
export type FieldWeights = Partial<Record<FieldName, number>>;

/** One note as it is indexed. */
export interface NoteDocument {
  id: number;
  /** Ties in score are broken by it, in code point order. */
  path: string;
  title: string;
  aliases: string[];
  headings: string[];
  tags: string[];
  /** Text of the frontmatter that can be searched. */
  properties: string;
  /** The whole file; stored. */
  text: string;
  /** UTF-16 offset in `text` where the body starts; the body is indexed from there. */
  bodyStart: number;
}

interface Weighted {
  /** Factor on this node's score; default 1. */
  boost?: number;
}

/** A text that may hold one word or several; several (`real-time`, a run of CJK) must stand next to each other. */
export interface WordNode extends Weighted {
  kind: 'word';
  text: string;
  fields?: FieldWeights;
}

/** Words in this order, with at most `slop` (default 0) other words between them in all. */
export interface PhraseNode extends Weighted {
  kind: 'phrase';
  text: string;
  fields?: FieldWeights;
  slop?: number;
}

/**
 * A word that starts with `text` (several words: the last one is the prefix, the others stand before it). All
 * words with the prefix count as one term. Looked up unstemmed: plain field names mean their exact twins here.
 */
export interface PrefixNode extends Weighted {
  kind: 'prefix';
  text: string;
  fields?: FieldWeights;
}

/**
 * Words at most `distance` edits (insert, drop, replace, swap) from `text`, its best 50 by frequency in the View.
 * Scores of other words than `text` itself are divided by 1 + their distance. Plain field names mean their
 * exact twins here, too.
 */
export interface FuzzyNode extends Weighted {
  kind: 'fuzzy';
  text: string;
  distance: 1 | 2;
  fields?: FieldWeights;
}

/** Every note, with score 1. */
export interface AllNode extends Weighted {
  kind: 'all';
}

/**
 * Every `must`, no `not`, and at least `minimumShould` of `should` (default 1 without `must`, else 0). The score
 * is the sum over `must` and `should`. With `not` alone: every other note, with score 1.
 */
export interface BoolNode extends Weighted {
  kind: 'bool';
  must?: QueryNode[];
  should?: QueryNode[];
  not?: QueryNode[];
  minimumShould?: number;
}

/**
 * What to look for. A node whose text holds no letter or digit matches nothing; see `tokens`.
 * Inside one word, phrase, prefix or fuzzy node the fields are combined by dis-max: the best field's score plus
 * `tieBreaker` times the others'.
 */
export type QueryNode = WordNode | PhraseNode | PrefixNode | FuzzyNode | AllNode | BoolNode;

export interface LexicalRequest {
  query: QueryNode;
  /** Hits and statistics (document counts, lengths, frequencies) are over these notes only; null: all notes. */
  view: IdSet | null;
  /** Hits are further restricted to these; statistics are not. */
  filter?: IdSet;
  limit: number;
  offset?: number;
  /** Default 0.3. */
  tieBreaker?: number;
  snippets?: SnippetOptions;
}

export interface SnippetOptions {
  /** Longest snippet in UTF-16 units. */
  chars: number;
  /** Snippets a note, best first; they do not overlap. */
  perNote: number;
  /** More words that steer which window is chosen; they are not marked. */
  terms?: string;
}

/** A slice of the stored text as it is; how it is shown is the caller's. */
export interface Snippet {
  text: string;
  /** UTF-16 offsets in the stored text. */
  start: number;
  end: number;
  /** 1-based line in the stored text of the first marked word, or of the snippet's start without one. */
  line: number;
  /** UTF-16 pairs (start, end) within `text`, ascending. */
  marks: number[];
  /** Summed weight of the distinct words in it; 0 when nothing matched. */
  score: number;
}

export interface LexicalHit {
  id: number;
  score: number;
  snippets?: Snippet[];
}

export interface LexicalResult {
  /** All notes that match, exactly. */
  total: number;
  /** By score, then path. */
  hits: LexicalHit[];
}

/** A part of a note's text, from one offset to another in UTF-16 units. */
export interface TextRange {
  id: number;
  start: number;
  end: number;
}

export interface ScanRequest {
  view: IdSet | null;
  filter?: IdSet;
  /** Each must occur somewhere in the note as a substring, ignoring case. */
  words?: string[];
  /** Matched over the whole text, `^` and `$` at lines; `words` and `regex` together must both match. */
  regex?: string;
  caseInsensitive?: boolean;
  /** Lines given for a note; default 10. With 0 they are only counted, which is faster. */
  linesPerNote?: number;
  /** Notes given; default 50. */
  maxNotes?: number;
  /** Only notes whose path comes after this one are given; `total` counts all. */
  after?: string;
}

export interface ScanLine {
  /** 1-based. */
  line: number;
  /** The line, cut to 300 UTF-16 units around its first match. */
  text: string;
  /** UTF-16 pairs within `text`. */
  marks: number[];
}

export interface ScanHit {
  id: number;
  /** All matching lines of the note. */
  lineCount: number;
  lines: ScanLine[];
}

export interface ScanResult {
  /** All matching notes, exactly. */
  total: number;
  /** By path. */
  hits: ScanHit[];
  /** More notes match after the last one given. */
  truncated: boolean;
}

export interface ExpandRequest {
  match: 'prefix' | 'fuzzy';
  text: string;
  /** Fuzzy: greatest distance; default 1. */
  distance?: 1 | 2;
  /** Default title_exact, aliases_exact, headings_exact, body_exact. */
  fields?: ExactFieldName[];
  view: IdSet | null;
  /** Default 50. */
  limit?: number;
}

export interface ExpandedTerm {
  term: string;
  /** Notes of the View that hold it in one of the fields; never 0. */
  documents: number;
  /** Edits away from `text`; 0 for a prefix. */
  distance: number;
}
