import { makeFolder, type TestFolder } from '@grove/testing';
import { afterEach } from 'vitest';
import { type LexicalIndex, type NoteDocument, openLexicalIndex } from '../index.ts';

/** A note with only the parts a test cares about. */
export function note(id: number, text: string, parts: Partial<NoteDocument> = {}): NoteDocument {
  const path = parts.path ?? `notes/${String(id).padStart(4, '0')}.md`;
  return {
    id,
    path,
    title: '',
    aliases: [],
    headings: [],
    tags: [],
    properties: '',
    text,
    bodyStart: 0,
    ...parts,
  };
}

/** Folders and indices that are closed and removed after each test of the file that calls it. */
export function useIndices(): { folder(): string; open(notes?: NoteDocument[]): Promise<LexicalIndex> } {
  const folders: TestFolder[] = [];
  const indices: LexicalIndex[] = [];
  const folder = (): string => {
    const made = makeFolder('native');
    folders.push(made);
    return made.path;
  };
  afterEach(async () => {
    for (const index of indices.splice(0)) await index.close();
    for (const made of folders.splice(0)) made.remove();
  });
  return {
    folder,
    async open(notes) {
      const index = await openLexicalIndex(folder());
      indices.push(index);
      if (notes) {
        await index.add(notes);
        await index.commit();
      }
      return index;
    },
  };
}
