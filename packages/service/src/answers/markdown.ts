import { oneLine } from './note-facts.ts';

/**
 * Text of a note as a fenced block that nothing in it can close: the fence is longer than any run of backticks
 * inside. Readers are told that it is data.
 */
export function fenceNote(text: string): string {
  return fenceText(text, 'markdown');
}

/** {@link fenceNote} for text of another kind, such as a diff of a note. */
export function fenceText(text: string, kind: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Sentences for the reader, one line each, whatever names they hold. */
export function remarkLines(remarks: readonly string[] | undefined): string[] {
  return (remarks ?? []).map(oneLine);
}

/**
 * A time of an answer as a line shows it: to the minute, in the vault's zone, which vault_status names.
 *
 * @example shortTime('2026-11-30T12:00:00+13:00') // '2026-11-30 12:00'
 */
export function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** `1 note`, `2 notes`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
