import { plural } from '../answers/markdown.ts';

/** Control characters, and what turns the direction of the text around it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * What a person is asked before notes are deleted: each note on a line of its own, and what becomes of them. A name that
 * a disk holds may carry what no eye sees; it is shown as its code, so that it cannot pass for another or for more text.
 *
 * @example deletionQuestion('Garden', ['Old.md']) // 'Delete 1 note of the vault "Garden"?\n- Old.md\nIt goes …'
 */
export function deletionQuestion(vault: string, notes: readonly string[]): string {
  const lines = notes.map((path) => `- ${visible(path)}`);
  const [goes, brought] = notes.length === 1 ? ['It goes', 'it'] : ['They go', 'each of them'];
  return [
    `Delete ${plural(notes.length, 'note')} of the vault "${visible(vault)}"?`,
    ...lines,
    `${goes} to the trash of the vault, and "restore" brings ${brought} back.`,
  ].join('\n');
}

/** A text with what no eye sees shown as its code. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`);
}
