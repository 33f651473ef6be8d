import { lineEnd } from '../../lines.ts';

/**
 * The end of the last line between two offsets that holds anything but white space, without its line break;
 * `start` when there is none. Spaces at the line's end belong to it: two of them are a hard break.
 */
export function contentEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at -= 1;
  if (at === start) return start;
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at += 1;
  return at;
}

/** The start of the first line between two offsets that holds anything but white space; `end` when there is none. */
export function contentStart(text: string, start: number, end: number): number {
  let line = start;
  for (let at = start; at < end; at += 1) {
    if (text[at] === '\n') line = at + 1;
    else if (!isBlank(text.charCodeAt(at))) return line;
  }
  return end;
}

/** A text without the blank lines at its two ends and without its last line break; indentation stays. */
export function trimBlankLines(text: string): string {
  const start = contentStart(text, 0, text.length);
  return text.slice(start, contentEnd(text, start, text.length));
}

/** True for a line that holds nothing but white space of Markdown. */
export function isBlankLine(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** The offset of the next character that is no white space of Markdown, or -1. */
export function nextVisible(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (!isBlank(text.charCodeAt(at))) return at;
  return -1;
}

/** How many line breaks stand in a range of a text. */
export function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A run of white space as its first line with the line break, and what is left. */
export function firstLine(blank: string): [line: string, rest: string] {
  const end = blank.includes('\n') ? lineEnd(blank, 0) : 0;
  return [blank.slice(0, end), blank.slice(end)];
}

/** Space, tab, line feed or carriage return: what CommonMark lets a blank line hold. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
