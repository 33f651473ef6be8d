/** JSON on several lines, lists of texts on one. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replaceAll(
    /\[\s+("[^[\]]*")\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/",\s+"/g, '", "')}]`,
  );
}
