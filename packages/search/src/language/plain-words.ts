/**
 * The text with the operators of the lex language taken out: nothing in it excludes, requires or filters.
 *
 * @example plainWords('tag:work -draft "next year"') // 'tag work draft  next year '
 */
export function plainWords(text: string): string {
  return text
    .replaceAll(/["“”„«»]/gu, ' ')
    .replaceAll(/(?<=^|\s)-+/gu, ' ')
    .replaceAll(/(?<=^|\s)(title|heading|tag|path)(s?):/giu, '$1$2 ')
    .replaceAll(/\*(?=\s|$)/gu, ' ');
}
