import { stripEnd } from './strip-end.ts';

/**
 * The form under which two spellings of a text are the same to a person: NFC and case-folded. Used for twins,
 * names, path rules, tags and values.
 *
 * @example foldCase('CAFE\u0301') // 'café'
 */
export function foldCase(text: string): string {
  // Most texts are ASCII, and normalizing is most of the cost.
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/**
 * A title, heading or alias as it compares: {@link foldCase}, and white space collapsed.
 *
 * @example foldTitle(' My  Plan ') // 'my plan'
 */
export function foldTitle(title: string): string {
  const folded = foldCase(title);
  // Most titles have single spaces only: looking costs a part of what replacing does.
  return (/[^\S ]| {2}/.test(folded) ? folded.replace(/\s+/gu, ' ') : folded).trim();
}

/**
 * A tag as it compares: {@link foldCase}, without the marks before it and slashes behind it.
 *
 * @example foldTag('#Area/Garden/') // 'area/garden'
 */
export function foldTag(tag: string): string {
  return foldCase(stripEnd(tag.replace(/^#+/, ''), '/'));
}

/**
 * True when a tag is the wanted one or nested in it; both folded.
 *
 * @example coversTag('ai', 'ai/ml') // true
 */
export function coversTag(wanted: string, tag: string): boolean {
  return tag === wanted || tag.startsWith(`${wanted}/`);
}
