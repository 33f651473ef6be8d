import { lineAt } from '../lines.ts';
import type { Link } from '../model.ts';
import type { TextRuns } from '../outline/text-runs.ts';

// Logseq names blocks by UUIDs.
const REFERENCE = /\(\(([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\)\)/giy;

/** Logseq's references to blocks in the plain text: `((uuid))`. */
export function findBlockReferences(
  note: { readonly text: string; readonly bodyStart: number; readonly lineStarts: readonly number[] },
  runs: TextRuns,
): Link[] {
  const { text, bodyStart, lineStarts } = note;
  const links: Link[] = [];
  for (let at = text.indexOf('((', bodyStart); at >= 0; at = text.indexOf('((', at + 1)) {
    REFERENCE.lastIndex = at;
    const match = REFERENCE.exec(text);
    if (match === null || runs.plainEnd(at) < 0) continue;
    links.push({
      kind: 'block-ref',
      target: '',
      heading: null,
      block: match[1]!,
      label: null,
      property: null,
      start: at,
      end: at + match[0].length,
      line: lineAt(lineStarts, at),
    });
  }
  return links;
}
