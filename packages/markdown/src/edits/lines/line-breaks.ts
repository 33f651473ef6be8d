import { diffArrays } from 'diff';

export type LineBreak = '\n' | '\r\n';

// Beyond so many differing lines an alignment costs more than it is worth.
const MAX_EDITS = 1000;

/** The line break that most lines of a text end in; `\n` for a text without any. */
export function lineBreakOf(text: string): LineBreak {
  let all = 0;
  let windows = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all += 1;
    if (text.charCodeAt(at - 1) === 0x0d) windows += 1;
  }
  return windows * 2 > all ? '\r\n' : '\n';
}

/** True for a text in which some lines end in `\n` and some in `\r\n`. */
export function isMixed(text: string): boolean {
  return text.includes('\r\n') && /(?:^|[^\r])\n/.test(text);
}

/** A text with every line break written as the given one; a lone `\r` stays. */
export function withLineBreaks(text: string, lineBreak: LineBreak): string {
  const plain = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
  return lineBreak === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/**
 * A new text whose lines that stood in the old text too end as they did there. The other lines end as most
 * lines of the old text do, which is what `next` is expected to hold already.
 */
export function keepLineBreaks(old: string, next: string): string {
  if (!isMixed(old)) return next;
  const before = splitLines(old);
  const after = splitLines(next);
  let head = 0;
  while (head < before.length && head < after.length && bare(before[head]!) === bare(after[head]!)) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    bare(before[before.length - 1 - tail]!) === bare(after[after.length - 1 - tail]!)
  )
    tail += 1;
  const middle = diffArrays(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
    {
      comparator: (a, b) => bare(a) === bare(b),
      maxEditLength: MAX_EDITS,
    },
  );
  const lines = before.slice(0, head);
  let at = head;
  for (const change of middle ?? [{ value: after.slice(head, after.length - tail), added: true }]) {
    if (change.added) lines.push(...change.value);
    else if ('removed' in change && change.removed) at += change.value.length;
    else {
      lines.push(...before.slice(at, at + change.value.length));
      at += change.value.length;
    }
  }
  return [...lines, ...before.slice(before.length - tail)].join('');
}

/** The lines of a text, each with its line break; a last line without one only where it holds something. */
export function splitLines(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function bare(line: string): string {
  if (line.endsWith('\r\n')) return `${line.slice(0, -2)}\n`;
  return line;
}
