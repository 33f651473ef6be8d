import {
  addDefinitions,
  type DefinedTarget,
  keepDefinitions,
  type Link,
  type NoteText,
} from '@grove/markdown';
import { type NoteRow, relativePath, type View } from '@grove/vault';
import { parseText } from './parse-text.ts';

/**
 * A changed text with the link reference definitions that Foam keeps at the end of notes in step with its wikilinks, as
 * far as they lead to notes of the View. Other texts, and those of other dialects, stay as they are.
 */
export async function withDefinitions(text: string, row: NoteRow | null, view: View): Promise<string> {
  const note = await noteWithDefinitions(text, row, view);
  return row === null || note === null ? text : keepDefinitions(note, (link) => targetOf(link, row, view));
}

/**
 * A text that got links, with the definitions of these alone added where the note ends in some; each other byte stays.
 *
 * @param links as they are written
 */
export async function withDefinitionsOf(
  links: ReadonlySet<string>,
  { text, row, view }: { readonly text: string; readonly row: NoteRow; readonly view: View },
): Promise<string> {
  const note = await noteWithDefinitions(text, row, view);
  if (note === null) return text;
  return addDefinitions(note, (link) =>
    links.has(text.slice(link.start, link.end)) ? targetOf(link, row, view) : null,
  );
}

async function noteWithDefinitions(text: string, row: NoteRow | null, view: View): Promise<NoteText | null> {
  if (view.dialect !== 'foam' || row === null || !text.includes(']:')) return null;
  return parseText(text, view.dialect, row.path);
}

function targetOf(link: Link, row: NoteRow, view: View): DefinedTarget | null {
  const to = view.resolveLink(link, row);
  if (to === null || to.id === row.id) return null;
  return { path: relativePath(row.path, to.path), title: to.title };
}
