import type { NoteText } from '@grove/markdown';
import type { NoteRow } from '@grove/vault';
import type { NoteDocument } from '../engine/port.ts';

/** Properties that have a field of their own. */
const OWN_FIELD: ReadonlySet<string> = new Set(['title', 'alias', 'aliases', 'tag', 'tags']);
const MAX_DEPTH = 8;

/**
 * What is indexed of a note. The file name counts as an alias where the title differs, so that a note comes
 * up by either; properties are searched by their values; a block that does not parse is searched as it is.
 */
export function noteDocument(row: NoteRow, note: NoteText): NoteDocument {
  return {
    id: row.id,
    path: row.path,
    title: row.title,
    aliases: row.name === row.title ? row.aliases : [...row.aliases, row.name],
    headings: note.headings.map((heading) => heading.text),
    tags: row.tags,
    properties: propertiesText(note),
    text: note.text,
    bodyStart: note.bodyStart,
  };
}

function propertiesText(note: NoteText): string {
  const { status, data, block } = note.frontmatter;
  if (status === 'broken' && block !== null) return note.text.slice(block.start, block.end);
  const values: string[] = [];
  for (const [key, value] of Object.entries(data)) {
    if (!OWN_FIELD.has(key.toLowerCase())) collect(value, values, 0);
  }
  return values.join('\n');
}

function collect(value: unknown, into: string[], depth: number): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'number') into.push(String(value));
  else if (Array.isArray(value) && depth < MAX_DEPTH)
    for (const item of value) collect(item, into, depth + 1);
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const [key, item] of Object.entries(value)) {
      into.push(key);
      collect(item, into, depth + 1);
    }
  }
}
