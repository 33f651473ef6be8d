/** JSON on several lines; lists of texts on one, and objects with a single text. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text
    .replaceAll(/\[\s+("[^[\]]*")\s+\]/g, (_, items: string) => `[${items.replaceAll(/",\s+"/g, '", "')}]`)
    .replaceAll(/\{\n\s+("[^"\n]*": "(?:[^"\\\n]|\\.)*")\n\s+\}/g, '{ $1 }');
}
