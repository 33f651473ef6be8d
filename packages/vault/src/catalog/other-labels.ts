import { foldCase, foldTag } from '@grove/core';
import { type NoteText, withoutLink } from '@grove/markdown';

/** What a note says of its type and its tags beside those that are read from it. */
export interface OtherLabels {
  /** Of a list of types all but the first, what lies deeper, and the parts of a link to a type. */
  readonly types: readonly string[];
  /** What is no tag as it stands: in lists of lists, mappings, comments, or with white space in it. */
  readonly tags: readonly string[];
}

const NONE: OtherLabels = { types: [], tags: [] };
/** A note that lists more has told enough. */
const MOST = 100;
const DEEPEST = 20;
/** What stands between the parts of a link, or before a tag: `[[Types/book|Books]]`, `[Book](Types/book.md)`, `#book`. */
const BETWEEN_PARTS = /[[\]()|#/]+/;
/** A field in the text, as Dataview and Logseq have them: on a line of its own or in brackets; its value may hold links. Its
 * parts are bounded, so that a line of nothing but stars is looked at once. */
const FIELD =
  /(?:^[ \t>*+-]{0,40}|[[(])[*_]{0,3}(type|tags?)[*_]{0,3}::((?:\[\[[^\]\r\n]{0,200}\]\]|[^\r\n\])])*)/gim;
const TAG_IN_COMMENT = /#([\p{L}\p{M}\p{N}_/-]+)/gu;

/**
 * Words that a person may have meant as a type or a tag. A rule that keeps notes back must not miss one for being
 * written oddly; a rule that lets notes in does not count them.
 *
 * @example otherLabels(parse('---\ntype: [book, client]\n---\n')).types // ['client']
 */
export function otherLabels(note: NoteText): OtherLabels {
  const { type, tags } = note;
  const [typed, tagged] = [said(note, /^type$/i), said(note, /^tags?$/i)];
  const hidden = tagsInComments(note);
  if (typed.length + tagged.length + hidden.length === 0) return NONE;
  const known = new Set(tags.map(({ name }) => foldTag(name)));
  const types = typed
    .flatMap((text) => [withoutLink(text.trim()), ...text.split(BETWEEN_PARTS).map(pageOf)])
    .filter((word) => word !== '' && foldCase(word) !== foldCase(type ?? ''));
  const others = [...tagged.flatMap((text) => withoutLink(text.trim()).split(/[\s,]+/)), ...hidden].filter(
    (word) => foldTag(word) !== '' && !known.has(foldTag(word)),
  );
  return { types: distinct(types), tags: distinct(others) };
}

/** The texts under a property, in the frontmatter and in fields of the text. */
function said({ frontmatter, text }: NoteText, name: RegExp): string[] {
  const values = Object.entries(frontmatter.data).flatMap(([key, value]) => (name.test(key) ? [value] : []));
  const fields = text.includes('::') ? [...text.matchAll(FIELD)] : [];
  const inText = fields.flatMap(([, key = '', value = '']) => (name.test(key) ? [value] : []));
  return [...wordsIn(values, DEEPEST), ...inText];
}

/** Who writes a tag into a comment does not want it seen, and may want it heeded all the same. */
function tagsInComments({ text, literals }: NoteText): string[] {
  return literals
    .filter(({ start }) => text.startsWith('%%', start) || text.startsWith('<!--', start))
    .flatMap(({ start, end }) => [...text.slice(start, end).matchAll(TAG_IN_COMMENT)])
    .map(([, tag = '']) => tag);
}

function pageOf(part: string): string {
  return part.trim().replace(/\.md$/i, '');
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
