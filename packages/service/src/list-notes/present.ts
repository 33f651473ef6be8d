import { plural, remarkLines, shortTime } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import { nameLine } from '../answers/present-facts.ts';
import type { ListedNote, ListNotesAnswer } from './contract.ts';

/** The answer of list_notes as Markdown: totals, then one line each. */
export function presentListNotes(answer: ListNotesAnswer): string {
  const { of, total, notes_total, notes, groups, remarks, cursor } = answer;
  const one = of.slice(0, -1);
  const among = of === 'notes' ? '' : ` among ${plural(notes_total, 'note')}`;
  const shown = notes?.length ?? groups?.length ?? 0;
  const lines = [`${plural(total, one)}${among}${shown < total ? `, ${shown} shown` : ''}.`];
  lines.push(...remarkLines(remarks));
  for (const note of notes ?? []) lines.push(noteLine(note));
  for (const { name, notes: count } of groups ?? [])
    lines.push(`- ${of === 'tags' ? '#' : ''}${oneLine(name)} (${count})`);
  const first = notes?.[0];
  if (first !== undefined) lines.push(`Links: ${linkPattern(first.link)}`);
  if (cursor !== undefined) lines.push(`There is more: the same call with cursor "${cursor}".`);
  return lines.join('\n');
}

function noteLine(note: ListedNote): string {
  const fields = Object.entries(note.fields ?? {}).map(
    ([name, value]) => `${oneLine(name)} ${inLine(value)}`,
  );
  return [`- ${nameLine(note)}`, shortTime(note.modified), `${note.size} B`, ...fields].join(' · ');
}

function inLine(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** How every note's link is made: all differ only in the file. */
function linkPattern(link: string): string {
  return `${link.slice(0, link.indexOf('&file=') + 6)}PATH, percent-encoded, without .md`;
}
