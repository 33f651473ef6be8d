/**
 * A word for a POSIX shell.
 *
 * @example shellWord("Ann's notes") // `'Ann'\''s notes'`
 */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
