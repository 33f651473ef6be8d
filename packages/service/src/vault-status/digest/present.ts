import { plural, remarkLines, shortTime } from '../../answers/markdown.ts';
import { oneLine } from '../../answers/note-facts.ts';
import type { DigestAnswer } from './contract.ts';

type StagedNote = DigestAnswer['stages'][number]['notes'][number];

/** The answer of vault_status in mode digest as Markdown. */
export function presentDigest({
  vault,
  now,
  notes,
  left_out,
  stages,
  attention,
  remarks,
}: DigestAnswer): string {
  const out = left_out === 0 ? '' : `, ${left_out.toLocaleString('en')} of them without a stage`;
  const lines = [
    `Vault "${vault}" on ${shortTime(now)}: ${plural(notes, 'note')}${out}.`,
    ...remarkLines(remarks),
  ];
  lines.push(attention.length === 0 ? 'Nothing needs attention today.' : 'What needs attention today:');
  for (const { total, why, examples } of attention) {
    const more = total > examples.length ? ` and ${total - examples.length} more` : '';
    lines.push(`- ${total}, ${why}: ${examples.map(oneLine).join(', ')}${more}`);
  }
  for (const { stage, total, notes: told } of stages) {
    lines.push(`${stage}: ${total}`, ...told.map((note) => `- ${noteLine(note)}`));
    if (total > told.length) lines.push(`- and ${total - told.length} more`);
  }
  return lines.join('\n');
}

function noteLine({ path, title, age, untouched, words, backlinks }: StagedNote): string {
  const name = title === undefined ? oneLine(path) : `${oneLine(path)} (${oneLine(title)})`;
  return `${name}: made ${daysAgo(age)}, changed ${daysAgo(untouched)}, ${plural(words, 'word')}, ${plural(backlinks, 'backlink')}`;
}

function daysAgo(days: number): string {
  return days === 0 ? 'today' : `${plural(days, 'day')} ago`;
}
