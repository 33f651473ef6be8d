import type { Range } from '../model.ts';
import type { TextRuns } from '../outline/text-runs.ts';

/**
 * Finds Obsidian's comments: from `%%` in the plain text to the next `%%`, whatever stands between, across
 * paragraphs too; a comment that is not closed runs to the end. Marks included.
 */
export function findComments(text: string, from: number, runs: TextRuns): Range[] {
  const comments: Range[] = [];
  let at = text.indexOf('%%', from);
  while (at >= 0) {
    if (runs.plainEnd(at) < 0) {
      at = text.indexOf('%%', at + 1);
      continue;
    }
    const close = text.indexOf('%%', at + 2);
    const end = close < 0 ? text.length : close + 2;
    comments.push({ start: at, end });
    at = text.indexOf('%%', end);
  }
  return comments;
}
