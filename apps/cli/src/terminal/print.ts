import { styleText } from 'node:util';
import type { Run } from '../run.ts';

/**
 * Prints an answer's Markdown for a person: light colours on a terminal (NO_COLOR and FORCE_COLOR hold), the text
 * alone elsewhere. Control characters that a note may hold never reach the terminal.
 */
export function printMarkdown(run: Run, markdown: string): void {
  const safe = withoutControls(markdown);
  run.stdout.write(
    `${safe
      .split('\n')
      .map((line) => styleLine(line, run.stdout))
      .join('\n')}\n`,
  );
}

/** One JSON value on one line. What a terminal would obey is escaped, so that the value stays the same. */
export function printJson(run: Run, value: unknown): void {
  const json = JSON.stringify(value);
  run.stdout.write(`${json.replaceAll(OBEYED, (unit) => `\\u${hexOf(unit).padStart(4, '0')}`)}\n`);
}

/**
 * Text with what a terminal would obey shown as its code, where what it says matters: a name or a rule that hides a
 * part of itself would pass for another.
 *
 * @example visible('a\u009bb') // 'a\\u{9b}b'
 */
export function visible(text: string): string {
  return text.replaceAll(OBEYED, (unit) => `\\u{${hexOf(unit)}}`);
}

/** Control characters, and what turns the direction of the text around it. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/gu;

function hexOf(unit: string): string {
  return (unit.codePointAt(0) ?? 0).toString(16);
}

/** Text without the control characters that move a terminal's cursor or change its state. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

type Style = Parameters<typeof styleText>[0];

/** Colours a text when the stream is a terminal that wants colours. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream, validateStream: true });
}

function styleLine(line: string, stream: NodeJS.WriteStream): string {
  if (/^#{1,6} /.test(line)) return paint('bold', line, stream);
  if (/^\s*(?:obsidian:|https?:|Next: )/.test(line)) return paint('dim', line, stream);
  if (line.startsWith('Error ')) return paint('red', line, stream);
  return line
    .replaceAll(/\*\*([^*]+)\*\*/g, (_, text: string) => paint('bold', text, stream))
    .replaceAll(/\(?<?obsidian:\/\/[^\s)>]+>?\)?/g, (link) => paint('dim', link, stream));
}
