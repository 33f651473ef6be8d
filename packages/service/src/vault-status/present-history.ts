import { fenceText, plural, remarkLines } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import { commitLine } from '../history/commit-line.ts';
import type { HistoryAnswer, ListedChange, ListedCommit } from './contract.ts';

/** The answer of vault_status in mode history as Markdown. */
export function presentHistory({ vault, commits, remarks, cursor }: HistoryAnswer): string {
  const lines = [`Vault "${vault}": ${plural(commits.length, 'commit')}, newest first.`];
  lines.push(...remarkLines(remarks));
  for (const commit of commits) lines.push(...commitLines(commit));
  if (cursor !== undefined) lines.push(`There is more: the same call with cursor "${cursor}".`);
  return lines.join('\n');
}

function commitLines(listed: ListedCommit): string[] {
  const { notes, notes_total = notes.length } = listed;
  const lines = [commitLine(listed), ...notes.flatMap(changeLines)];
  if (notes_total > notes.length) lines.push(`  - and ${notes_total - notes.length} more`);
  return lines;
}

function changeLines({ path, change, from, diff }: ListedChange): string[] {
  const what = from === undefined ? change : `${change} from ${oneLine(from)}`;
  return [`  - ${oneLine(path)}: ${what}`, ...(diff === undefined ? [] : [fenceText(diff, 'diff')])];
}
