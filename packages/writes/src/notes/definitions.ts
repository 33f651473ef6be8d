import { keepDefinitions } from '@grove/markdown';
import { type NoteRow, relativePath, type View } from '@grove/vault';
import { parseText } from './parse-text.ts';

/**
 * A changed text with the link reference definitions that Foam keeps at the end of notes in step with its wikilinks, as
 * far as they lead to notes of the View. Other texts, and those of other dialects, stay as they are.
 */
export async function withDefinitions(text: string, row: NoteRow | null, view: View): Promise<string> {
  if (view.dialect !== 'foam' || row === null || !text.includes(']:')) return text;
  const note = await parseText(text, view.dialect, row.path);
  return keepDefinitions(note, (link) => {
    const to = view.resolveLink(link, row);
    return to === null || to.id === row.id
      ? null
      : { path: relativePath(row.path, to.path), title: to.title };
  });
}
