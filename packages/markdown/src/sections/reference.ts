/** A note and a part of it, as Obsidian's links write them. */
export interface NoteReference {
  readonly name: string;
  /** `Heading#Sub` or `^block`: an address for {@link findSection}; null for the whole note. */
  readonly section: string | null;
}

/**
 * Splits `Note#Heading#Sub`, `Note#^block`, with or without `[[ ]]` and `|label`. A note whose own name
 * holds `#` is for the caller to try first.
 *
 * @example parseNoteReference('[[Plan#Goals|our goals]]') // { name: 'Plan', section: 'Goals' }
 */
export function parseNoteReference(input: string): NoteReference {
  const bracketed = /^\s*!?\[\[(.*)\]\]\s*$/s.exec(input);
  const inside = bracketed?.[1] ?? input;
  const pipe = inside.indexOf('|');
  const link = pipe < 0 ? inside : inside.slice(0, pipe).replace(/\\$/, '');
  const hash = link.indexOf('#');
  if (hash < 0) return { name: link.trim(), section: null };
  const section = link.slice(hash + 1).trim();
  return { name: link.slice(0, hash).trim(), section: section === '' ? null : section };
}
