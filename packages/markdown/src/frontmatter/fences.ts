import { lineContentEnd, lineEnd } from '../lines.ts';
import type { Range } from '../model.ts';

/** Where the frontmatter stands, before its YAML is read. */
export interface Fences {
  readonly status: 'none' | 'found' | 'unclosed';
  readonly block: Range | null;
  readonly yaml: Range | null;
  /** After the byte order mark and the block. */
  readonly bodyStart: number;
}

const OPENING = /^---[ \t]*$/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/;

/**
 * Finds the frontmatter block: the first line of the text (after a byte order mark) is `---`, and a later
 * line is `---` or `...`. Fences fill whole lines, so `----`, `--- title` and an indented `---` are none.
 */
export function findFences(text: string): Fences {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const none: Fences = { status: 'none', block: null, yaml: null, bodyStart: start };
  if (!text.startsWith('---', start)) return none;
  if (!OPENING.test(text.slice(start, lineContentEnd(text, start)))) return none;
  const yamlStart = lineEnd(text, start);
  for (let at = yamlStart; at < text.length; at = lineEnd(text, at)) {
    const first = text.charCodeAt(at);
    if (first !== 0x2d && first !== 0x2e) continue;
    if (!CLOSING.test(text.slice(at, lineContentEnd(text, at)))) continue;
    const end = lineEnd(text, at);
    return {
      status: 'found',
      block: { start, end },
      yaml: { start: yamlStart, end: at },
      bodyStart: end,
    };
  }
  return { ...none, status: 'unclosed' };
}
