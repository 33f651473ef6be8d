import { GroveError } from '@grove/core';
import { isKeyId } from '../keys/token.ts';

const MAX_CHARACTERS = 64;
/** Controls, halves of a surrogate pair, line ends, and what turns the direction of the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * A key's name as it is kept: NFC, without blanks around it, 1 to 64 characters.
 *
 * @throws GroveError `bad_input`
 * @example parseKeyName(' Laptop ') // 'Laptop'
 */
export function parseKeyName(text: string): string {
  const name = normalizeKeyName(text);
  const length = [...name].length;
  if (length === 0) throw refuse('the name of a key is empty');
  if (length > MAX_CHARACTERS) throw refuse(`the name of a key has at most ${MAX_CHARACTERS} characters`);
  if (UNPRINTABLE.test(name)) throw refuse('the name of a key holds a control character');
  if (isKeyId(name)) throw refuse('the name of a key must not look like the id of one');
  return name;
}

/** A name as it compares with the kept ones. */
export function normalizeKeyName(text: string): string {
  return text.normalize('NFC').trim();
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
