/** Where a clause looks: `null` is every field. */
export type ClauseField = 'title' | 'heading' | 'tag' | 'path' | null;

/** One part of a lex query, as it was written. */
export interface Clause {
  /** `word`: free text between blanks; `phrase`: quoted; `prefix`: ended in `*` (dropped from `text`). */
  readonly form: 'word' | 'phrase' | 'prefix';
  /** Without quotes, `-`, field name and `*`. Never empty, at most {@link MAX_CLAUSE_LENGTH} units. */
  readonly text: string;
  readonly field: ClauseField;
  readonly negated: boolean;
  /** How often it stands in the query, case aside; at least 1. */
  readonly count: number;
}

/** A parsed lex query. Every string parses. */
export interface LexQuery {
  /** Distinct clauses in the order of the text, at most {@link MAX_CLAUSES}. */
  readonly clauses: readonly Clause[];
  /** True when the query held more than is searched for. */
  readonly cut: boolean;
}

/** More distinct words than this say nothing more about what is wanted, and each costs a postings list. */
export const MAX_CLAUSES = 64;

/** Longest text of one clause in UTF-16 units: a phrase of some hundred words. */
export const MAX_CLAUSE_LENGTH = 1000;
