import { fenceText, plural, remarkLines, shortTime } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { ToldCommit } from '../history/told-commit.ts';
import type { HistoryAnswer, ListedChange, ListedCommit } from './contract.ts';

/** The answer of vault_status in mode history as Markdown. */
export function presentHistory({ vault, commits, remarks, cursor }: HistoryAnswer): string {
  const lines = [`Vault "${vault}": ${plural(commits.length, 'commit')}, newest first.`];
  lines.push(...remarkLines(remarks));
  for (const commit of commits) lines.push(...commitLines(commit));
  if (cursor !== undefined) lines.push(`There is more: the same call with cursor "${cursor}".`);
  return lines.join('\n');
}

/** One commit in one line. */
export function commitLine(told: ToldCommit): string {
  const { commit, time, author, subject, key, client, operation, reason, mechanical } = told;
  const by = key === undefined ? author : `${author} (${[key, client].filter(Boolean).join(', ')})`;
  const facts = [shortTime(time), commit.slice(0, 12), by, subject];
  if (operation !== undefined) facts.push(operation);
  if (mechanical) facts.push('mechanical');
  if (reason !== undefined) facts.push(`reason: ${reason}`);
  return `- ${facts.map(oneLine).join(' · ')}`;
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
