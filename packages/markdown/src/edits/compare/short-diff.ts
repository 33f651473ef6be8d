import { formatPatch, structuredPatch } from 'diff';
import { splitLines } from '../lines/line-breaks.ts';

// Lines around a change.
const CONTEXT = 1;
// Texts that differ in more lines are told apart by their first and last common lines alone.
const MAX_EDITS = 1000;
const CUT = '[cut]';

/**
 * The differences of two texts as the hunks of a unified diff, one line of context around each, without the
 * lines that name files; `''` for equal texts. Cut after whole lines to `maxBytes` of UTF-8, then ending in
 * `[cut]`.
 *
 * @example shortDiff('a\nb\n', 'a\nc\n', 1024) // '@@ -1,2 +1,2 @@\n a\n-b\n+c\n'
 */
export function shortDiff(before: string, after: string, maxBytes: number): string {
  if (before === after) return '';
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  const text = patch === undefined ? wholeChange(before, after) : hunksOf(formatPatch(patch));
  return cut(text, maxBytes);
}

function hunksOf(patch: string): string {
  const at = patch.indexOf('@@ ');
  return at < 0 ? '' : patch.slice(at);
}

/** One hunk that takes out all lines between the common ones at the two ends, and puts in the others. */
function wholeChange(before: string, after: string): string {
  const old = splitLines(before);
  const now = splitLines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)];
  const title = `@@ -${head + 1},${gone.length} +${head + 1},${come.length} @@\n`;
  return title + lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('');
}

function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let kept = '';
  let room = maxBytes - CUT.length - 1;
  for (const line of splitLines(text)) {
    const bytes = Buffer.byteLength(line);
    if (bytes > room) {
      // A first line that is too long itself still shows where it starts.
      if (room > 40)
        kept += `${Buffer.from(line)
          .subarray(0, room - 4)
          .toString('utf8')
          .replace(/\ufffd+$/, '')}…\n`;
      break;
    }
    kept += line;
    room -= bytes;
  }
  return maxBytes < CUT.length + 1 ? '' : `${kept}${CUT}\n`;
}
