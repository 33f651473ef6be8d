import { plural } from '../answers/markdown.ts';
import type { ApproveAnswer, WaitingAnswer } from './contract.ts';
import { visible } from './question-text.ts';

/** What waits, each with its notes on lines of their own. */
export function presentApprove({ waiting, approved, denied }: ApproveAnswer): string {
  const lines: string[] = [];
  if (approved !== undefined)
    lines.push(`Approved ${approved}: the same call passes once within the next five minutes.`);
  if (denied !== undefined) lines.push(`Denied ${denied}: nothing is deleted.`);
  if (waiting.length === 0) lines.push('Nothing waits for a yes.');
  return [...lines, ...waiting.flatMap(presentWaiting)].join('\n');
}

/** One question: who asks, since when, and for which notes. */
export function presentWaiting({ id, principal, name, client, notes, asked }: WaitingAnswer): string[] {
  const from = client === undefined ? '' : ` with ${visible(client)}`;
  return [
    `${id}: ${visible(name)} (${principal})${from} wants to delete ${plural(notes.length, 'note')}, asked at ${asked}`,
    ...notes.map((path) => `- ${visible(path)}`),
  ];
}
