/** Longest text that names something: a path, a tag, a date, an expression. In UTF-16 units. */
export const LONGEST_NAME = 4_096;

/** Longest list of names in one text: fifty paths and their commas. */
export const LONGEST_LIST = 65_536;

/**
 * The text without the slashes at its end, in one pass: a regular expression for it takes quadratic time on slashes
 * that stand elsewhere.
 *
 * @example withoutTrailingSlashes('Projects//') // 'Projects'
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
