import { foldCase, foldTag } from '@grove/core';
import { type NoteText, withoutLink } from '@grove/markdown';

/** What the frontmatter says under `type` and `tags` beside the type and the tags that are read from it. */
export interface OtherLabels {
  /** Of a list of types all but the first, and what lies deeper. */
  readonly types: readonly string[];
  /** What is no tag as it stands: in lists of lists, mappings, or with white space in it. */
  readonly tags: readonly string[];
}

const NONE: OtherLabels = { types: [], tags: [] };
/** A note that lists more has told enough. */
const MOST = 100;
const DEEPEST = 20;

/**
 * Words that a person may have meant as a type or a tag. A rule that keeps notes back must not miss one for being
 * written oddly; a rule that lets notes in does not count them.
 *
 * @example otherLabels(parse('---\ntype: [book, client]\n---\n')).types // ['client']
 */
export function otherLabels({ frontmatter, type, tags }: NoteText): OtherLabels {
  const entries = Object.entries(frontmatter.data);
  const typed = entries.filter(([key]) => foldCase(key) === 'type').map(([, value]) => value);
  const tagged = entries.filter(([key]) => /^tags?$/i.test(key)).map(([, value]) => value);
  if (typed.length + tagged.length === 0) return NONE;
  const known = new Set(tags.map(({ name }) => foldTag(name)));
  const types = wordsIn(typed, DEEPEST)
    .map((word) => withoutLink(word.trim()))
    .filter((word) => word !== '' && foldCase(word) !== foldCase(type ?? ''));
  const others = wordsIn(tagged, DEEPEST)
    .flatMap((text) => withoutLink(text.trim()).split(/[\s,]+/))
    .filter((word) => foldTag(word) !== '' && !known.has(foldTag(word)));
  return { types: distinct(types), tags: distinct(others) };
}

function wordsIn(value: unknown, deep: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null || deep === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, deep - 1));
  return Object.entries(value).flatMap(([key, item]) => [key, ...wordsIn(item, deep - 1)]);
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)].slice(0, MOST);
}
