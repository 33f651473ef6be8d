import { isScalar, isSeq, type Node, type YAMLSeq } from 'yaml';

/**
 * The source of `[[Note]]` written without quotes, or null when the list is really a list. To YAML it is a
 * flow sequence holding one flow sequence; the brackets must touch, as they do in a link. `[[1, 2]]` with
 * nothing but numbers stays a list of lists.
 */
export function asUnquotedLink(node: YAMLSeq<Node | null>, yaml: string): string | null {
  if (node.flow !== true || node.items.length !== 1) return null;
  const inner = node.items[0] ?? null;
  if (!isSeq(inner) || inner.flow !== true || inner.items.length === 0) return null;
  if (!inner.items.every((item) => isScalar(item))) return null;
  if (inner.items.length > 1 && inner.items.every((item) => isScalar(item) && typeof item.value === 'number'))
    return null;
  const [start, end] = node.range ?? [0, 0];
  const source = yaml.slice(start, end);
  return source.startsWith('[[') && source.endsWith(']]') && !source.includes('\n') ? source : null;
}
