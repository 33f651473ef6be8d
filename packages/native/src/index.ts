/**
 * The compiled side of Grove: a full-text index, an exact vector scan, linear-time regular expressions and the
 * outline of Markdown. It knows nothing of vaults and imports nothing of ours.
 */

import { native } from './native.ts';

/** Sets of note ids, which is how a View reaches the compiled side. */
export { IdSet } from './id-set.ts';
/** The full-text index. */
export { LexicalIndex, type OpenIndexOptions, openLexicalIndex } from './lexical.ts';
export type {
  AllNode,
  BoolNode,
  ExactFieldName,
  ExpandedTerm,
  ExpandRequest,
  FieldName,
  FieldWeights,
  FuzzyNode,
  LexicalHit,
  LexicalRequest,
  LexicalResult,
  NoteDocument,
  PhraseNode,
  PlainFieldName,
  PrefixNode,
  QueryNode,
  ScanHit,
  ScanLine,
  ScanRequest,
  ScanResult,
  Snippet,
  SnippetOptions,
  WordNode,
} from './lexical-types.ts';
/** Thrown on import when no binary fits this machine. */
export { NativeMissingError } from './load.ts';
/** Headings, links, code and plain text of a Markdown body. */
export { outline, outlineAsync, outlineMany } from './outline.ts';
export {
  type BlockQuoteRecord,
  type CodeBlockRecord,
  type DefinitionRecord,
  decodeOutline,
  type HeadingRecord,
  type LabelRecord,
  type LinkRecord,
  type ListItemRecord,
  type ListRecord,
  type MathRecord,
  type OutlineEvents,
  type OutlineRecord,
  type PlainRecord,
  type TextRun,
  textRuns,
} from './records.ts';
/** Regular expressions that cannot hang. */
export { LinearRegex, type RegexCaptures, type RegexFlags } from './regex.ts';
/** Vectors in memory. */
export { VECTOR_KEY_BYTES, type VectorMatches, type VectorSearchOptions, VectorSet } from './vectors.ts';

/**
 * The words of a text as the index keeps them: folded, stemmed unless `exact`.
 *
 * @example tokens('Running C++', true) // ['running', 'c++']
 * @example tokens('Running C++', false) // ['run', 'c']
 */
export function tokens(text: string, exact: boolean): string[] {
  return native.tokens(text, exact);
}

/** Versions of the crate and of Tantivy, and the index schema's number. */
export function version(): { crate: string; tantivy: string; schema: number } {
  const { crateVersion, tantivy, schema } = native.version();
  return { crate: crateVersion, tantivy, schema };
}
