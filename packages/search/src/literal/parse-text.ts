/** More parts than this are not looked for: each is a pass over every text. */
const MAX_PARTS = 16;
const MAX_PART_LENGTH = 1000;

/**
 * Parts of a `text` query: what stands between blanks, and whole phrases between double quotes. A quote
 * without its partner is text itself.
 *
 * @example parseText('GB/s "read only"') // ['GB/s', 'read only']
 */
export function parseText(query: string): readonly string[] {
  const parts = new Set<string>();
  for (const [, phrase, word] of query.toWellFormed().matchAll(/"([^"\n]+)"(?=\s|$)|(\S+)/gu)) {
    const part = (phrase ?? word ?? '').trim().slice(0, MAX_PART_LENGTH).toWellFormed();
    if (part !== '') parts.add(part);
    if (parts.size === MAX_PARTS) break;
  }
  return [...parts];
}
