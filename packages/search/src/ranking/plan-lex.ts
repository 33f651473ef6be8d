import type { FieldWeights, QueryNode } from '../engine/port.ts';
import type { Clause, LexQuery } from '../language/lex-query.ts';
import { isStopWord } from '../language/stop-words.ts';
import {
  EXACT_FIELDS,
  EXACT_HEADING_FIELDS,
  EXACT_NAME_FIELDS,
  HEADING_FIELDS,
  NAME_FIELDS,
  WORD_FIELDS,
} from './fields.ts';

/** A word of several parts counts as much as its parts as words: half for each, half for standing together. */
const PART_BOOST = 0.5;
const TOGETHER_BOOST = 0.5;
/** More free words than this make a sentence, in which quotes emphasise; in fewer they demand. */
const MAX_KEYWORDS = 6;
/** Words of one text that are searched for on their own, such as the bigrams of a CJK sentence. */
const MAX_PARTS = 32;
/** A name is short: a query of more words than this is no name. */
const MAX_NAME_WORDS = 12;
/** Weight of a name that holds every word of the query, in units of the words' own scores. */
const NAME_BOOST = 2;

/** The words that indexing makes of a text. */
export type Tokenizer = (text: string, exact: boolean) => readonly string[];

/** What stands in for a word that no note of the View holds. */
export type Substitute = { readonly kind: 'fuzzy'; readonly distance: 1 | 2 } | { readonly kind: 'prefix' };

export interface LexPlan {
  /** Null when nothing in the query can be searched for by words. */
  readonly query: QueryNode | null;
  /** The same with its required parts made optional; null when there are none. */
  readonly relaxed: QueryNode | null;
  /** Optional words in the order of the query. */
  readonly words: readonly Clause[];
  /** Every note that no negated clause excludes; null when none is negated. */
  readonly permitted: QueryNode | null;
  /** Every note that has all required parts and nothing excluded; null when nothing is required. */
  readonly demanded: QueryNode | null;
}

/**
 * Turns a parsed query into the engine's. Free words are optional and ranked (a question must not fail for
 * one word), phrases and `title:`, `heading:` are required, negated clauses exclude; `tag:` and `path:` are
 * filters and no part of the plan, but alone they ask for every note that passes.
 */
export function planLex(
  parsed: LexQuery,
  tokens: Tokenizer,
  substitutes: ReadonlyMap<Clause, Substitute> = new Map(),
): LexPlan {
  const searched = parsed.clauses.filter((clause) => clause.field !== 'tag' && clause.field !== 'path');
  const not = searched.filter((clause) => clause.negated).flatMap((clause) => excluded(clause, tokens));
  const positive = searched.filter((clause) => !clause.negated);
  const words = contentWords(positive.filter((clause) => clause.field === null && clause.form !== 'phrase'));
  const demands = (clause: Clause) =>
    clause.field !== null || (clause.form === 'phrase' && words.length <= MAX_KEYWORDS);
  const required = positive.filter(demands).flatMap((clause) => leaf(clause, tokens));
  const emphasised = positive.filter((clause) => clause.form === 'phrase' && !demands(clause));
  const optional = [...words, ...emphasised].flatMap((clause) => {
    const substitute = substitutes.get(clause);
    return substitute === undefined ? leaf(clause, tokens) : substituted(clause, substitute);
  });
  const name = nameCoverage(words, substitutes, tokens);
  const should = name === null ? optional : [...optional, name];
  const permitted = not.length === 0 ? null : everything(not);
  const demanded: QueryNode | null = required.length === 0 ? null : { kind: 'bool', must: required, not };

  if (required.length === 0 && should.length === 0) {
    const filtered = positive.length < parsed.clauses.length;
    const query = filtered && positive.length === 0 ? everything(not) : null;
    return { query, relaxed: null, words, permitted, demanded };
  }
  const query: QueryNode = {
    kind: 'bool',
    must: required,
    should,
    not,
    minimumShould: required.length === 0 ? 1 : 0,
  };
  const relaxed: QueryNode | null =
    required.length + optional.length > 1 && required.length > 0
      ? { kind: 'bool', should: [...required, ...should], not }
      : null;
  return { query, relaxed, words, permitted, demanded };
}

/** Without function words, unless there is nothing else. */
function contentWords(clauses: readonly Clause[]): readonly Clause[] {
  const content = clauses.filter((clause) => clause.form === 'prefix' || !isStopWord(trimmed(clause.text)));
  return content.length > 0 ? content : clauses;
}

function trimmed(word: string): string {
  return word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

function leaf(clause: Clause, tokens: Tokenizer): QueryNode[] {
  const { text } = clause;
  if (tokens(text, true).length === 0) return [];
  const exact = exactFieldsOf(clause);
  if (clause.form === 'phrase') return [{ kind: 'phrase', text, fields: exact }];
  if (clause.form === 'prefix') return [{ kind: 'prefix', text, fields: exact }];
  const node = word(text, plainFieldsOf(clause), exact, tokens);
  // What is said twice matters more, though not twice as much.
  return [clause.count === 1 ? node : { ...node, boost: 1 + Math.log(clause.count) }];
}

/** One written word: `plan` as it is; `real-time`, `1.0.21`, CJK runs together or in parts; `C++` as written. */
function word(text: string, fields: FieldWeights, exact: FieldWeights, tokens: Tokenizer): QueryNode {
  const parts = [...new Set(tokens(text, true))];
  if (parts.length === 1) return part(text, parts[0]!, fields, exact);
  const together: QueryNode = { kind: 'word', text, fields, boost: TOGETHER_BOOST };
  const alone = parts
    .filter((token) => token.length > 1 && !isStopWord(token))
    .slice(0, MAX_PARTS)
    .map((token): QueryNode => ({ kind: 'word', text: token, fields, boost: PART_BOOST }));
  return { kind: 'bool', should: [together, ...alone] };
}

function part(text: string, token: string, fields: FieldWeights, exact: FieldWeights): QueryNode {
  if (isLoneIdeograph(token)) return { kind: 'prefix', text, fields: exact };
  if (!/[+#]$/.test(token)) return { kind: 'word', text, fields };
  // Stemming drops the sign, so that `C++` alone would be any C.
  const should: QueryNode[] = [
    { kind: 'word', text, fields: exact },
    { kind: 'word', text, fields, boost: 0.3 },
  ];
  return { kind: 'bool', should };
}

// Runs of these scripts are indexed as overlapping pairs of characters.
function isLoneIdeograph(token: string): boolean {
  return /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]$/u.test(token);
}

function substituted(clause: Clause, substitute: Substitute): QueryNode[] {
  const { text } = clause;
  if (substitute.kind === 'prefix') return [{ kind: 'prefix', text, fields: EXACT_FIELDS }];
  return [{ kind: 'fuzzy', text, distance: substitute.distance, fields: EXACT_FIELDS }];
}

/** Every word in the name: people look for a note by words of its title. BM25 puts the shortest name first. */
function nameCoverage(
  words: readonly Clause[],
  substitutes: ReadonlyMap<Clause, Substitute>,
  tokens: Tokenizer,
): QueryNode | null {
  if (words.length === 0 || words.length > MAX_NAME_WORDS || substitutes.size > 0) return null;
  const must = words
    .filter((clause) => tokens(clause.text, true).length > 0)
    .map((clause): QueryNode => ({ kind: clause.form, text: clause.text, fields: NAME_FIELDS }));
  return must.length === 0 ? null : { kind: 'bool', must, boost: NAME_BOOST };
}

/** What is excluded is excluded as written: `-meetings` keeps a note that says `meet`. */
function excluded(clause: Clause, tokens: Tokenizer): QueryNode[] {
  if (tokens(clause.text, true).length === 0) return [];
  return [{ kind: clause.form, text: clause.text, fields: exactFieldsOf(clause) }];
}

function everything(not: readonly QueryNode[]): QueryNode {
  return { kind: 'bool', must: [{ kind: 'all' }], not };
}

function plainFieldsOf(clause: Clause): FieldWeights {
  if (clause.field === 'title') return NAME_FIELDS;
  return clause.field === 'heading' ? HEADING_FIELDS : WORD_FIELDS;
}

function exactFieldsOf(clause: Clause): FieldWeights {
  if (clause.field === 'title') return EXACT_NAME_FIELDS;
  return clause.field === 'heading' ? EXACT_HEADING_FIELDS : EXACT_FIELDS;
}
