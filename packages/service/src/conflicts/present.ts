import { fenceText, plural } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { ConflictsAnswer, SettleAnswer } from './contract.ts';

/** Bytes that diffs take in the text; the structured answer beside it has all. */
const TEXT_DIFFS = 10 * 1024;

/** The list of conflicts as Markdown. */
export function presentConflicts({ conflicts, conflicts_total, files }: ConflictsAnswer): string {
  if (conflicts_total === 0 && files.length === 0) return 'There is no conflict to settle.';
  const lines = [`${plural(conflicts_total, 'conflict')} to settle.`];
  let left = TEXT_DIFFS;
  for (const { copy, note, note_hash, remote, day, diff } of conflicts) {
    const from = remote === undefined ? 'a copy' : `the version of ${remote}, ${day}`;
    const gone = note_hash === undefined ? ', which is not there any more' : '';
    lines.push(`- ${oneLine(copy)}: ${from} of ${oneLine(note)}${gone}`);
    if (diff === undefined) lines.push('  Both say the same.');
    left -= Buffer.byteLength(diff ?? '');
    if (diff !== undefined && left > 0) lines.push(fenceText(diff, 'diff'));
  }
  if (conflicts_total > conflicts.length) lines.push(`- and ${conflicts_total - conflicts.length} more`);
  if (files.length > 0) lines.push('Files that are no notes; remove one of the two, or rename the copy:');
  for (const file of files) lines.push(`- ${oneLine(file)}`);
  return lines.join('\n');
}

/** What became of a conflict, as Markdown. */
export function presentSettled({
  copy,
  kept,
  note,
  commit,
  conflict_saved,
  conflicts_left,
}: SettleAnswer): string {
  const done = {
    ours: `${oneLine(note)} stays as it is, and ${oneLine(copy)} lies in the trash`,
    theirs: `${oneLine(note)} says now what ${oneLine(copy)} said; its words of before are in the history`,
    both: `${oneLine(copy)} is the note ${oneLine(note)} now`,
  }[kept];
  const saved = (conflict_saved ?? []).map(
    (path) => ` Words saved at the same moment are in ${oneLine(path)}.`,
  );
  const left = conflicts_left === 0 ? 'No conflict is left.' : `${plural(conflicts_left, 'conflict')} left.`;
  return `${done}${commit === undefined ? '' : ` (${commit.slice(0, 12)})`}.${saved.join('')} ${left}`;
}
