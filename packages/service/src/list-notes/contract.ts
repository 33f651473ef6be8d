import { z } from 'zod';
import { noteFactsShape } from '../answers/note-facts.ts';
import { filterParameters } from '../filters/parameters.ts';
import { choice, type InputOf, prose, text, texts, whole } from '../parameters/parameter.ts';

const LISTED = ['notes', 'folders', 'tags', 'types', 'tasks'] as const;

export const listNotesParameters = {
  of: choice(LISTED, 'What to list.', { guesses: ['what', 'kind', 'list'] }),
  folder: text('Only in this folder, or below.', { guesses: ['path', 'dir', 'directory', 'in'] }),
  depth: whole({ min: 1, max: 100, absent: null }, 'Levels below the folder; 1 is directly in it.', {
    guesses: ['levels', 'recursive'],
  }),
  glob: text('Paths: Daily/2026-*.md, Projects/**.', { guesses: ['pattern', 'paths'] }),
  match: text('Regex on the name, or the task.', {
    guesses: ['regex', 'query', 'search', 'name', 'q'],
  }),
  ...filterParameters,
  states: texts(
    { commas: true, max: 10 },
    'Of tasks: open, in_progress (both if absent), done, cancelled, all.',
    {
      guesses: ['state', 'done', 'completed', 'open'],
    },
  ),
  min_count: whole({ min: 1, max: 1_000_000, absent: null }, 'Least notes of a folder, tag, type.'),
  sort: text('modified, created, size, count (greatest first), title, path, due; - reverses.', {
    guesses: ['order', 'order_by', 'sort_by', 'orderby'],
  }),
  fields: texts(
    { commas: true, max: 20 },
    'Also show: frontmatter keys, type, tags, created, words, stage.',
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

const taskShape = z.object({
  ...noteFactsShape,
  /** 1-based line of the file. */
  line: z.int(),
  /** What stands after the mark, in one line. */
  text: z.string(),
  state: z.enum(['open', 'in_progress', 'done', 'cancelled']),
  /** The mark as it is written: what stands in the brackets, or a keyword such as TODO. */
  mark: z.string(),
  /** Days such as 2026-12-01. */
  due: z.string().optional(),
  scheduled: z.string().optional(),
  /** What `fields` asked for, where the note has it. */
  fields: z.record(z.string(), z.unknown()).optional(),
});

export const listNotesOutput = z.object({
  of: z.enum(LISTED),
  /** Notes, folders, tags, types or tasks in all, not only on this page. */
  total: z.int(),
  /** Notes that the filters leave. */
  notes_total: z.int(),
  notes: z.array(noteShape).optional(),
  groups: z.array(groupShape).optional(),
  tasks: z.array(taskShape).optional(),
  remarks: z.array(z.string()),
  cursor: z.string().optional(),
});

export type ListNotesAnswer = z.infer<typeof listNotesOutput>;
export type ListedNote = z.infer<typeof noteShape>;
export type ListedTask = z.infer<typeof taskShape>;
export type Group = z.infer<typeof groupShape>;
