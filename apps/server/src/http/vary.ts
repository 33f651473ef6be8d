/**
 * A Vary header with one more name in it.
 *
 * @example withVary('Accept', 'Origin') // 'Accept, Origin'
 */
export function withVary(present: string | number | readonly string[] | undefined, name: string): string {
  const text = present === undefined ? '' : Array.isArray(present) ? present.join(', ') : String(present);
  const names = text.split(',').map((part) => part.trim().toLowerCase());
  if (names.includes('*') || names.includes(name.toLowerCase())) return text;
  return text.trim() === '' ? name : `${text}, ${name}`;
}
