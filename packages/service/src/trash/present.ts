import { plural, shortTime } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { TrashAnswer } from './contract.ts';

/** Notes of a batch that are named in the text. */
const NAMED = 5;

/** The answer of trash as Markdown. */
export function presentTrash(answer: TrashAnswer): string {
  const { batches, batches_total, left, left_total } = answer;
  const lines = [headline(answer)];
  for (const { batch, deleted, notes, notes_total, bytes } of batches) {
    const more = notes_total > NAMED ? ` and ${notes_total - NAMED} more` : '';
    const named = notes.slice(0, NAMED).map(oneLine).join(', ');
    lines.push(`- ${batch}, ${shortTime(deleted)}, ${sizeText(bytes)}: ${named}${more}`);
  }
  if (batches_total > batches.length) lines.push(`- and ${batches_total - batches.length} more`);
  for (const { batch, reason } of left) lines.push(`- ${batch} stays: ${oneLine(reason)}`);
  if (left_total > left.length) lines.push(`- and ${left_total - left.length} more stay`);
  return lines.join('\n');
}

function headline({ emptied, dry_run, batches_total, notes, bytes, left_total }: TrashAnswer): string {
  const what = `${plural(notes, 'note')} of ${plural(batches_total, 'deletion')} (${sizeText(bytes)})`;
  if (emptied === true)
    return batches_total === 0 ? 'Nothing was removed from the trash.' : `Removed from the trash: ${what}.`;
  if (dry_run === true)
    return batches_total === 0
      ? `There is nothing to remove${left_total > 0 ? '' : ' from the trash'}.`
      : `Would be removed for good: ${what}. The history keeps every one of them.`;
  return batches_total === 0 ? 'The trash is empty.' : `In the trash: ${what}.`;
}

/** `812 bytes`, `1.4 KB`, `3.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
