/**
 * Every value of a header as it came, in order: of Host, Origin and Authorization Node keeps the first alone, and a
 * proxy before it may have judged another.
 *
 * @param rawHeaders names and values in turn, as Node gives them
 * @param name in lower case
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
