import { GroveError } from '@grove/core';

/**
 * The address of an embedder, as it is typed.
 *
 * @param setting what a person knows the value by
 * @returns null for an empty text
 * @throws GroveError `bad_input`, which names the setting
 */
export function parseEmbedderUrl(text: string, setting: string): string | null {
  if (text === '') return null;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refused(`${setting} is no address such as http://localhost:11434/v1`);
  if (url.username !== '' || url.password !== '')
    throw refused(`${setting} holds a user name or a password; give the key by itself`);
  return text;
}

/** The address, with other words in the place of what comes behind its path and may be a secret. */
export function withoutQuery(url: string, instead: string): string {
  return url.replace(/[?#].*/s, `?${instead}`);
}

function refused(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
