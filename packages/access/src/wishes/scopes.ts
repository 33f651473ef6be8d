import { GroveError, nearest } from '@grove/core';

/** Every scope that a key can hold, in the order in which they are shown. */
export const KEY_SCOPES = ['read', 'append', 'write', 'admin'] as const;

/** What a key allows. `write` implies `append` and `read`; `append` and `admin` imply nothing. */
export type KeyScope = (typeof KEY_SCOPES)[number];

const IMPLIED: Readonly<Record<KeyScope, readonly KeyScope[]>> = {
  read: ['read'],
  append: ['append'],
  write: ['write', 'append', 'read'],
  admin: ['admin'],
};

/**
 * True when these scopes allow what needs `wanted`.
 *
 * @example grants(['write'], 'append') // true
 */
export function grants(scopes: readonly KeyScope[], wanted: KeyScope): boolean {
  return scopes.some((scope) => IMPLIED[scope].includes(wanted));
}

/**
 * Reads scopes from a list, or from one text with commas or blanks between them; capitals do not matter. Each
 * scope once, in the order of {@link KEY_SCOPES}.
 *
 * @throws GroveError `bad_input` for a word that is no scope, with the nearest one, and for no scope at all
 * @example parseScopes('write, read') // ['read', 'write']
 */
export function parseScopes(text: string | readonly string[]): readonly KeyScope[] {
  const words = (typeof text === 'string' ? [text] : text)
    .flatMap((part) => part.split(/[\s,]+/))
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined) throw new GroveError('bad_input', { reason: unknownScope(unknown) });
  if (words.length === 0)
    throw new GroveError('bad_input', { reason: `no scope is named; use some of ${KEY_SCOPES.join(', ')}` });
  return KEY_SCOPES.filter((scope) => words.includes(scope));
}

/** True for the name of a scope as it is stored. */
export function isScope(word: unknown): word is KeyScope {
  return KEY_SCOPES.some((scope) => scope === word);
}

function unknownScope(word: string): string {
  const shown = word.slice(0, 40).toWellFormed();
  const [near] = nearest(shown, KEY_SCOPES, 1);
  const advice = near === undefined ? `use some of ${KEY_SCOPES.join(', ')}` : `did you mean "${near}"?`;
  return `"${shown}" is no scope; ${advice}`;
}
