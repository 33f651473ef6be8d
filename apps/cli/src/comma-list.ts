/**
 * The entries of a list with commas between them, without the blanks around each; empty ones are passed over.
 *
 * @example commaList('Private, Work/Secret,') // ['Private', 'Work/Secret']
 */
export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
