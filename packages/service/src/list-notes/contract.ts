import { z } from 'zod';
import { noteFactsShape } from '../answers/note-facts.ts';
import { filterParameters } from '../filters/parameters.ts';
import { choice, type InputOf, prose, text, texts, whole } from '../parameters/parameter.ts';

export const listNotesParameters = {
  of: choice(['notes', 'folders', 'tags', 'types'], 'What to list.', { guesses: ['what', 'kind', 'list'] }),
  folder: text('Only in this folder, or below.', { guesses: ['path', 'dir', 'directory', 'in'] }),
  depth: whole({ min: 1, max: 100, absent: null }, 'Levels below the folder; 1 is directly in it.', {
    guesses: ['levels', 'recursive'],
  }),
  glob: text('Paths: Daily/2026-*.md, Projects/**.', { guesses: ['pattern', 'paths'] }),
  match: text('Regex on the name.', { guesses: ['regex', 'query', 'search', 'name', 'q'] }),
  ...filterParameters,
  min_count: whole(
    { min: 1, max: 1_000_000, absent: null },
    'Folders, tags, types with at least so many notes.',
  ),
  sort: text('modified, created, size, count: greatest first; title, path: from a; - reverses.', {
    guesses: ['order', 'order_by', 'sort_by', 'orderby'],
  }),
  fields: texts(
    { commas: true, max: 20 },
    'Also show: frontmatter keys, or type, tags, created, words, size.',
    {
      guesses: ['columns', 'properties', 'select', 'include'],
    },
  ),
  limit: whole({ min: 1, max: 200, absent: 50 }, 'Lines in one answer, 1 to 200.', {
    guesses: ['n', 'max', 'count', 'max_results', 'page_size', 'top_k'],
  }),
  cursor: prose('From the answer before.', { guesses: ['offset', 'page', 'next'] }),
} as const;

export type ListNotesInput = InputOf<typeof listNotesParameters>;

const noteShape = z.object({
  ...noteFactsShape,
  modified: z.string(),
  /** Bytes of the file. */
  size: z.int(),
  /** What `fields` asked for, where the note has it. */
  fields: z.record(z.string(), z.unknown()).optional(),
});

const groupShape = z.object({
  /** Folder path, tag without `#`, or type. */
  name: z.string(),
  notes: z.int(),
});

export const listNotesOutput = z.object({
  of: z.enum(['notes', 'folders', 'tags', 'types']),
  /** Notes, folders, tags or types in all, not only on this page. */
  total: z.int(),
  /** Notes that the filters leave. */
  notes_total: z.int(),
  notes: z.array(noteShape).optional(),
  groups: z.array(groupShape).optional(),
  remarks: z.array(z.string()),
  cursor: z.string().optional(),
});

export type ListNotesAnswer = z.infer<typeof listNotesOutput>;
export type ListedNote = z.infer<typeof noteShape>;
export type Group = z.infer<typeof groupShape>;
