/**
 * The text without any of these characters at its end. In linear time, which `/x+$/` is not: the engine tries
 * it again from every `x` of a run that does not reach the end.
 *
 * @example stripEnd('Projects//', '/') // 'Projects'
 */
export function stripEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
