import { plural, remarkLines, shortTime } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import { nameLine } from '../answers/present-facts.ts';
import type { ListedNote, ListedTask, ListNotesAnswer } from './contract.ts';

/** The answer of list_notes as Markdown: totals, then one line each. */
export function presentListNotes(answer: ListNotesAnswer): string {
  const { of, total, notes_total, notes, groups, tasks, remarks, cursor } = answer;
  const one = of.slice(0, -1);
  const among = of === 'notes' ? '' : ` among ${plural(notes_total, 'note')}`;
  const shown = (notes ?? groups ?? tasks ?? []).length;
  const lines = [`${plural(total, one)}${among}${shown < total ? `, ${shown} shown` : ''}.`];
  lines.push(...remarkLines(remarks));
  for (const note of notes ?? []) lines.push(noteLine(note));
  for (const { name, notes: count } of groups ?? [])
    lines.push(`- ${of === 'tags' ? '#' : ''}${oneLine(name)} (${count})`);
  for (const task of tasks ?? []) lines.push(taskLine(task));
  const first = (notes ?? tasks)?.[0];
  if (first !== undefined) lines.push(`Links: ${linkPattern(first.link)}`);
  if (cursor !== undefined) lines.push(`There is more: the same call with cursor "${cursor}".`);
  return lines.join('\n');
}

function noteLine(note: ListedNote): string {
  return [`- ${nameLine(note)}`, shortTime(note.modified), `${note.size} B`, ...fieldsOf(note)].join(' · ');
}

/** A task by its own mark, and where it stands. */
function taskLine(task: ListedTask): string {
  const { mark, text, due, scheduled, path, line } = task;
  const days = [
    due === undefined ? [] : `due ${due}`,
    scheduled === undefined ? [] : `scheduled ${scheduled}`,
  ];
  const marked = `- ${mark.length > 2 ? mark : `[${mark}]`} ${text}`;
  return [marked, ...days.flat(), `${oneLine(path)}, line ${line}`, ...fieldsOf(task)].join(' · ');
}

function fieldsOf({ fields = {} }: Pick<ListedNote, 'fields'>): string[] {
  return Object.entries(fields).map(([name, value]) => `${oneLine(name)} ${inLine(value)}`);
}

function inLine(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** How every note's link is made: all differ only in the file. */
function linkPattern(link: string): string {
  return `${link.slice(0, link.indexOf('&file=') + 6)}PATH, percent-encoded, without .md`;
}
