import { type Clause, type ClauseField, type LexQuery, MAX_CLAUSE_LENGTH, MAX_CLAUSES } from './lex-query.ts';

const BLANK = /\s/u;
const QUOTE = /["“”„«»]/u;
const FIELD = /^(title|heading|tag|path)s?:/iu;
const SEARCHABLE = /[\p{L}\p{N}]/u;

/**
 * Reads the lex language: words, `"phrases"`, `-not`, `prefix*`, `title:`, `heading:`, `tag:`, `path:` (each
 * also with a phrase and negated). Never throws: a quote without its partner is a blank, a field name
 * without a value, a lone dash and a command-line option (`-m`, `--all`) are what they look like, words.
 *
 * @example parseLex('roadmap "next year" -draft tag:work')
 */
export function parseLex(query: string): LexQuery {
  const text = query.toWellFormed();
  const clauses = new Map<string, Clause>();
  let at = 0;
  while (at < text.length) {
    if (BLANK.test(text[at]!)) {
      at++;
      continue;
    }
    const { clause, end } = readClause(text, at);
    at = end;
    if (clause === null) continue;
    const key = `${clause.form} ${clause.field} ${clause.negated} ${clause.text.toLowerCase()}`;
    const known = clauses.get(key);
    if (known === undefined && clauses.size === MAX_CLAUSES)
      return { clauses: [...clauses.values()], cut: true };
    clauses.set(key, known === undefined ? clause : { ...known, count: known.count + 1 });
  }
  const found = [...clauses.values()];
  return { clauses: found, cut: text.length > MAX_CLAUSE_LENGTH && hasLongClause(found) };
}

function readClause(text: string, start: number): { clause: Clause | null; end: number } {
  const wordEnd = endOfWord(text, start);
  let at = start;
  const negated = isNegation(text, start, wordEnd);
  if (negated) at++;
  let field: ClauseField = null;
  const named = FIELD.exec(text.slice(at, Math.min(wordEnd, at + 9)));
  if (named !== null && at + named[0].length < wordEnd) {
    field = named[1]!.toLowerCase() as ClauseField;
    at += named[0].length;
  }
  if (QUOTE.test(text[at]!)) {
    const close = closingQuote(text, at + 1);
    if (close < 0) {
      // Without its partner the quote is a blank; what follows is read as words, under the same field.
      const rest = text.slice(at + 1, wordEnd);
      return { clause: make('word', rest, field, negated), end: wordEnd };
    }
    return { clause: make('phrase', text.slice(at + 1, close), field, negated), end: close + 1 };
  }
  const word = text.slice(at, wordEnd);
  if (/[\p{L}\p{N}]\*$/u.test(word.slice(-3))) {
    return { clause: make('prefix', word.slice(0, -1), field, negated), end: wordEnd };
  }
  return { clause: make('word', word, field, negated), end: wordEnd };
}

/** `-word`, `-"phrase"`, `-tag:x`; not `- word`, `--option`, and not `-m`, which is an option as well. */
function isNegation(text: string, start: number, end: number): boolean {
  if (text[start] !== '-' || start + 1 >= end) return false;
  const rest = text.slice(start + 1, Math.min(end, start + 4));
  return !rest.startsWith('-') && !/^\p{L}$/u.test(rest);
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !BLANK.test(text[end]!)) end++;
  return end;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (QUOTE.test(text[at]!)) return at;
  return -1;
}

function make(form: Clause['form'], raw: string, field: ClauseField, negated: boolean): Clause | null {
  const text = raw.slice(0, MAX_CLAUSE_LENGTH).toWellFormed().trim();
  // A field's value is compared with names as well, where a sign or an emoji can be the whole name.
  const holds = field === null ? SEARCHABLE.test(text) : text !== '';
  return holds ? { form, text, field, negated, count: 1 } : null;
}

function hasLongClause(clauses: readonly Clause[]): boolean {
  return clauses.some((clause) => clause.text.length >= MAX_CLAUSE_LENGTH - 1);
}
