import { lineEnd } from '../../lines.ts';
import type { Dialect, ListItem, NoteText } from '../../model.ts';
import { contentEnd } from '../lines/blank-lines.ts';
import { parseContent } from '../parse-content.ts';

/** An item's place in its list: items of one list share both. */
interface Marker {
  readonly indent: string;
  readonly mark: string;
}

const MARKER = /^(?:[-*+]|\d{1,9}([.)]))/;

/** True when a content starts with an item of the list, or nested in the list, that ends at an offset of the note. */
export function continuesList(note: NoteText, end: number, content: string): boolean {
  const open = openItems(note, end);
  if (open.length === 0) return false;
  const first = firstItem(content, note.dialect);
  if (first === null) return false;
  return open.some((item) => belongs(first, markerOf(note, item)));
}

/** True when a content ends in a list that goes on with the item which starts a line of the note. */
export function precedesList(note: NoteText, lineStart: number, content: string): boolean {
  const line = lineEnd(note.text, lineStart);
  const next = note.listItems.find(({ start }) => start >= lineStart && start < line);
  if (next === undefined) return false;
  const marker = markerOf(note, next);
  if (marker === null) return false;
  const { note: parsed } = parseContent(content, note.dialect);
  const end = contentEnd(parsed.text, 0, parsed.text.length);
  return openItems(parsed, end).some((item) => belongs(marker, markerOf(parsed, item)));
}

function belongs(item: Marker, list: Marker | null): boolean {
  if (list === null) return false;
  if (item.indent === list.indent) return item.mark === list.mark;
  return item.indent.startsWith(list.indent);
}

/** The items that go on to an offset, which ends a line. */
function openItems(note: NoteText, end: number): ListItem[] {
  return note.listItems.filter(
    ({ start, treeEnd }) => start < end && contentEnd(note.text, start, treeEnd) >= end,
  );
}

function firstItem(content: string, dialect: Dialect): Marker | null {
  const { note } = parseContent(content, dialect);
  const item = note.listItems[0];
  return item === undefined || note.text.slice(0, item.start).trim() !== '' ? null : markerOf(note, item);
}

/** Null for an item that does not start its line: `- - a`, or one in a quote. */
function markerOf({ text }: NoteText, item: ListItem): Marker | null {
  const indent = text.slice(text.lastIndexOf('\n', item.start - 1) + 1, item.start);
  const match = MARKER.exec(text.slice(item.start, item.start + 12));
  if (match === null || /[^ \t]/.test(indent)) return null;
  return { indent, mark: match[1] ?? match[0] };
}
