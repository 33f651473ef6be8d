import { GroveError } from '@grove/core';
import { isId } from './ids.ts';

const MAX_CHARACTERS = 64;
/** Controls, halves of a surrogate pair, line ends, and what turns the direction of the text around it. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** What a name is given to. */
export type Named = 'key' | 'trail' | 'client';

/**
 * A name as it is kept: NFC, without blanks around it, 1 to 64 characters.
 *
 * @throws GroveError `bad_input`
 * @example parseName('key', ' Laptop ') // 'Laptop'
 */
export function parseName(kind: Named, text: string): string {
  const name = normalizeName(text);
  const length = [...name].length;
  if (length === 0) throw refuse(`the name of a ${kind} is empty`);
  if (length > MAX_CHARACTERS) throw refuse(`the name of a ${kind} has at most ${MAX_CHARACTERS} characters`);
  if (name.search(UNPRINTABLE) >= 0) throw refuse(`the name of a ${kind} holds a control character`);
  if (isId(name)) throw refuse(`the name of a ${kind} must not look like the id of one`);
  return name;
}

/** A name as it compares with the kept ones. */
export function normalizeName(text: string): string {
  return text.normalize('NFC').trim();
}

/** A name, id or other text of the asker as an error shows it. */
export function shownName(text: string): string {
  return text.slice(0, 80).toWellFormed();
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
