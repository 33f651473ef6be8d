import { foldCase } from '@grove/core';
import { readPageProperties, splitNames } from '../../dialects/logseq-properties.ts';
import type { NoteText } from '../../model.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import { changePageProperties } from '../properties/page-properties.ts';

const KEY = /^tags?$/i;

/** Adds a tag to the `tags::` property of a Logseq page. */
export function addPageTag(note: NoteText, tag: string): string {
  const property = readPageProperties(note.text, note.bodyStart).findLast(({ key }) => KEY.test(key));
  if (property === undefined)
    return changePageProperties(note, { set: new Map([['tags', [tag]]]), unset: new Set() });
  const { value, valueStart } = property;
  const end = valueStart + note.text.slice(valueStart, property.end).trimEnd().length;
  const lead = value !== '' ? ', ' : note.text[valueStart - 1] === ':' ? ' ' : '';
  return applySplices(note.text, [{ start: end, end, text: `${lead}${tag}` }]);
}

/** Takes a tag, with one comma, out of the `tags::` property of a Logseq page. */
export function removePageTag(note: NoteText, tag: string): string {
  const splices: Splice[] = [];
  for (const { key, valueStart, end } of readPageProperties(note.text, note.bodyStart)) {
    if (KEY.test(key)) splices.push(...nameCuts(note.text, valueStart, end, tag));
  }
  return applySplices(note.text, splices);
}

/** What takes a name out of a list with commas. */
export function nameCuts(text: string, valueStart: number, valueEnd: number, tag: string): Splice[] {
  const names = splitNames(text.slice(valueStart, valueEnd));
  const gone = names.map(({ name }) => foldCase(name) === foldCase(tag));
  const cuts: Splice[] = [];
  let kept = -1;
  for (const [index, { start, end }] of names.entries()) {
    if (!gone[index]) {
      kept = index;
      continue;
    }
    const later = gone.indexOf(false, index) >= 0;
    if (later) cuts.push({ start: valueStart + start, end: valueStart + names[index + 1]!.start, text: '' });
    else {
      const from = index - 1 === kept || kept < 0 ? (names[index - 1]?.end ?? start) : names[index - 1]!.end;
      cuts.push({ start: valueStart + from, end: valueStart + end, text: '' });
    }
  }
  return cuts;
}
