import { fenceText, plural, remarkLines } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { RevertAnswer } from './contract.ts';

/** The answer of revert as Markdown. */
export function presentRevert(answer: RevertAnswer): string {
  const { key, since, commits, undone, undone_total, left, left_total, commit, dry_run, remarks } = answer;
  const lines = [
    `${key} made ${plural(commits, 'commit')} since ${since}. ${dry_run ? 'It would be' : 'It was'} undone in ${plural(undone_total, 'note')}; ${plural(left_total, 'note')} left as they are.`,
  ];
  if (commit !== undefined) lines.push(`commit ${commit.slice(0, 12)}`);
  lines.push(...remarkLines(remarks));
  for (const { path, change, diff } of undone) {
    lines.push(`- ${oneLine(path)}: ${change}`);
    if (diff !== undefined) lines.push(fenceText(diff, 'diff'));
  }
  if (undone_total > undone.length) lines.push(`- and ${undone_total - undone.length} more`);
  for (const { path, reason } of left) lines.push(`- ${oneLine(path)} is left: ${oneLine(reason)}`);
  if (left_total > left.length) lines.push(`- and ${left_total - left.length} more are left`);
  for (const copy of answer.conflict_saved ?? [])
    lines.push(`Somebody saved a note at the same moment; their text is in ${oneLine(copy)}.`);
  return lines.join('\n');
}
