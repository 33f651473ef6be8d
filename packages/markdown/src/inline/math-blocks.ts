import type { OutlineRecord } from '@grove/native';
import type { Range } from '../model.ts';
import { isCovered, type TextRuns } from '../outline/text-runs.ts';

/** Most that may stand before a `$$` which opens a block. */
const INDENTATION = 200;

/**
 * Finds blocks of math that the parser took apart: a line `$$`, lines that look like headings, lists or
 * paragraphs, and the next `$$`. To pulldown-cmark math is part of a paragraph; to Obsidian and Logseq it is
 * a block of its own. Blocks that the parser kept whole are math records already.
 */
export function findMathBlocks(
  text: string,
  from: number,
  runs: TextRuns,
  records: readonly OutlineRecord[],
): Range[] {
  const blocks: Range[] = [];
  let at = text.indexOf('$$', from);
  if (at < 0) return blocks;
  const code = records.filter(({ kind }) => kind === 'codeBlock' || kind === 'codeSpan');
  while (at >= 0) {
    const close = startsMathBlock(text, at) && runs.plainEnd(at) > 0 ? text.indexOf('$$', at + 2) : -1;
    if (close >= 0 && !isCovered(code, close - from)) {
      blocks.push({ start: at, end: close + 2 });
      at = text.indexOf('$$', close + 2);
    } else at = text.indexOf('$$', at + 2);
  }
  return blocks;
}

/** True when nothing but indentation, a quote's marks or a bullet stands before, and nothing after. */
function startsMathBlock(text: string, at: number): boolean {
  // Not back to the start of the line: a line of megabytes may hold a `$$` at every step.
  const start = Math.max(0, at - INDENTATION);
  const near = text.slice(start, at);
  const lineBreak = near.lastIndexOf('\n');
  if (lineBreak < 0 && start > 0) return false;
  const before = near.slice(lineBreak + 1);
  return /^[\s>]*(?:[-*+]\s+)?$/.test(before) && /^\$\$[ \t]*\r?(?:\n|$)/.test(text.slice(at, at + 100));
}
