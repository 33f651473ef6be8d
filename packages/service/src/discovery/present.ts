import { plural, remarkLines } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { DiscoverAnswer } from './contract.ts';

/** The answer of discover as Markdown. */
export function presentDiscover(answer: DiscoverAnswer): string {
  const { notes, notes_total, commits, left, left_total, remarks } = answer;
  const lines = [headline(answer), ...remarkLines(remarks)];
  if (commits.length > 0) lines.push(`commit ${commits.map((commit) => commit.slice(0, 12)).join(', ')}`);
  for (const { path, links, links_total } of notes) {
    lines.push(`- ${oneLine(path)}`);
    for (const { text, link, line } of links)
      lines.push(`  - line ${line}: "${oneLine(text)}", ${oneLine(link)}`);
    if (links_total > links.length) lines.push(`  - and ${links_total - links.length} more`);
  }
  if (notes_total > notes.length)
    lines.push(`- and ${plural(notes_total - notes.length, 'more note', 'more notes')}`);
  for (const { path, reason } of left) lines.push(`- ${oneLine(path)} is left: ${oneLine(reason)}`);
  if (left_total > left.length) lines.push(`- and ${left_total - left.length} more are left`);
  if (answer.next !== undefined) lines.push(`There is more, from ${oneLine(answer.next)} on.`);
  return lines.join('\n');
}

function headline({ undo, dry_run, links, notes_total }: DiscoverAnswer): string {
  if (links === 0) return undo === true ? 'There is no link to take back.' : 'There is nothing to link.';
  const what = `${plural(links, 'link')} in ${plural(notes_total, 'note')}`;
  if (undo === true) return dry_run === true ? `Would be taken back: ${what}.` : `Taken back: ${what}.`;
  return dry_run === true ? `Would be added: ${what}.` : `Added: ${what}.`;
}
