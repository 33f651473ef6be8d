import { shortTime } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { ToldCommit } from './told-commit.ts';

/** One commit in one line of Markdown. */
export function commitLine(told: ToldCommit): string {
  const { commit, time, author, subject, key, client, operation, reason, mechanical } = told;
  const by = key === undefined ? author : `${author} (${[key, client].filter(Boolean).join(', ')})`;
  const facts = [shortTime(time), commit.slice(0, 12), by, subject];
  if (operation !== undefined) facts.push(operation);
  if (mechanical) facts.push('mechanical');
  if (reason !== undefined) facts.push(`reason: ${reason}`);
  return `- ${facts.map(oneLine).join(' · ')}`;
}
