import type { FieldWeights } from '../engine/port.ts';

/**
 * Where a plain word is looked for. What an author wrote as text counts fully wherever it stands; BM25
 * already favours short fields. Path and properties count half: a folder's name is shared by all its notes,
 * and a property's value is often a label.
 */
export const WORD_FIELDS: FieldWeights = {
  title: 1,
  aliases: 1,
  headings: 1,
  body: 1,
  tags: 1,
  path: 0.5,
  properties: 0.5,
};

/** The same for what was written in quotes, as a prefix or after `-`: as written, not by stem. */
export const EXACT_FIELDS: FieldWeights = {
  title_exact: 1,
  aliases_exact: 1,
  headings_exact: 1,
  body_exact: 1,
  tags: 1,
  path: 0.5,
  properties_exact: 0.5,
};

/** What a note is called. */
export const NAME_FIELDS: FieldWeights = { title: 1, aliases: 1 };
export const EXACT_NAME_FIELDS: FieldWeights = { title_exact: 1, aliases_exact: 1 };
export const HEADING_FIELDS: FieldWeights = { headings: 1 };
export const EXACT_HEADING_FIELDS: FieldWeights = { headings_exact: 1 };
