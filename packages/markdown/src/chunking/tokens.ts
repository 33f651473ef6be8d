import { isUnspaced } from '../words.ts';

/**
 * A rough count of a language model's tokens in a stretch of text, in quarters of a token: four characters
 * of ASCII to a token, two of other alphabets, one of the scripts that are written without spaces.
 */
export function tokenQuarters(text: string, start: number, end: number): number {
  let quarters = 0;
  for (let at = start; at < end; at += 1) quarters += unitQuarters(text.charCodeAt(at));
  return quarters;
}

/** The quarters of a token that one UTF-16 unit counts for. */
export function unitQuarters(code: number): number {
  if (code < 0x80) return 1;
  if (isUnspaced(code) || (code >= 0xac00 && code <= 0xd7af)) return 4;
  return 2;
}

/** About how many tokens a text has. @example estimateTokens('four words are here') // 5 */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenQuarters(text, 0, text.length) / 4);
}
