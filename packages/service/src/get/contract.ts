import { z } from 'zod';
import { noteFactsShape } from '../answers/note-facts.ts';
import { toldCommitShape } from '../history/told-commit.ts';
import { choice, choices, flag, type InputOf, requiredText, text, whole } from '../parameters/parameter.ts';

export const getParameters = {
  path: requiredText('Path, title, alias, date, today, weekly:2026-W48, or Note#Heading, Note#^block.', {
    guesses: ['file', 'filename', 'filepath', 'file_path', 'note', 'name', 'title', 'id', 'uri', 'url'],
  }),
  section: text('Heading, Heading#Sub, Tasks@2 or ^block.', {
    guesses: ['heading', 'block', 'anchor', 'part'],
  }),
  subsections: flag(true, 'False: only up to its first subheading.', { guesses: ['recursive', 'children'] }),
  format: choice(['full', 'raw', 'map'], 'raw: the file as it is; map: its headings and sizes.', {
    guesses: ['mode', 'view', 'output'],
  }),
  include: choices(
    ['links', 'backlinks', 'mentions', 'history'],
    'Also list these; mentions: unlinked names of it.',
    { guesses: ['with', 'expand', 'links', 'backlinks', 'mentions', 'history'] },
  ),
  revision: text('As it was: commit, commit^, previous, a date, 7d.', {
    guesses: ['commit', 'version', 'rev', 'ref', 'at', 'as_of'],
  }),
  offset: whole({ min: 0, max: 1_000_000_000, absent: 0 }, 'Go on from next_offset of a cut answer.', {
    guesses: ['start', 'cursor', 'from', 'page'],
  }),
} as const;

export type GetInput = InputOf<typeof getParameters>;

const linkShape = z.object({
  /** As it is written. */
  target: z.string(),
  kind: z.string(),
  /** Path of the note it leads to; absent when no note answers. */
  to: z.string().optional(),
  heading: z.string().optional(),
  block: z.string().optional(),
  label: z.string().optional(),
  line: z.int(),
  /** The line that holds it, or the part of a long one around it; so below. */
  context: z.string(),
});

const backlinkShape = z.object({
  ...noteFactsShape,
  line: z.int(),
  context: z.string(),
});

const mentionShape = z.object({
  ...backlinkShape.shape,
  /** The name as it stands there, and the link to put in its place. */
  text: z.string(),
  replace: z.string(),
});

const outlineShape = z.object({
  level: z.int(),
  text: z.string(),
  /** What `section` takes. */
  address: z.string(),
  line: z.int(),
  words: z.int(),
});

const blockShape = z.object({ id: z.string(), line: z.int() });

const frontmatterErrorShape = z.object({ message: z.string(), line: z.int() });

const noteCommitShape = z.object({
  ...toldCommitShape,
  change: z.enum(['added', 'modified', 'deleted', 'renamed']),
  /** The former path, where it was renamed. */
  from: z.string().optional(),
});

const revisionShape = z.object({
  commit: z.string(),
  time: z.string(),
  /** What the note was called then, where that differs. */
  path: z.string().optional(),
});

export const getOutput = z.object({
  /** False for a periodic note that is not there yet. */
  found: z.boolean(),
  path: z.string().optional(),
  title: z.string().optional(),
  link: z.string().optional(),
  url: z.string().optional(),
  /** Where a missing periodic note would be. */
  would_be: z.string().optional(),
  /** The note that such notes are made from. */
  template: z.string().optional(),
  /** How the note was found: path, prefix, journal, name, alias, search. */
  resolved: z.string().optional(),
  type: z.string().optional(),
  tags: z.array(z.string()).optional(),
  aliases: z.array(z.string()).optional(),
  frontmatter: z.record(z.string(), z.unknown()).optional(),
  frontmatter_error: frontmatterErrorShape.optional(),
  format: z.enum(['full', 'raw', 'map']).optional(),
  /** Address of the section that was asked for. */
  section: z.string().optional(),
  content: z.string().optional(),
  /** First and last line of the file that `content` shows. */
  line: z.int().optional(),
  end_line: z.int().optional(),
  /** Hashes only where the whole note, or the whole section, is in the answer. */
  source_hash: z.string().optional(),
  content_hash: z.string().optional(),
  section_hash: z.string().optional(),
  /** Bytes of the file. */
  size: z.int().optional(),
  words: z.int().optional(),
  created: z.string().optional(),
  modified: z.string().optional(),
  /** Characters of what was asked for, and where the next part starts when it is cut. */
  total_chars: z.int().optional(),
  next_offset: z.int().optional(),
  outline: z.array(outlineShape).optional(),
  blocks: z.array(blockShape).optional(),
  links: z.array(linkShape).optional(),
  links_total: z.int().optional(),
  backlinks: z.array(backlinkShape).optional(),
  backlinks_total: z.int().optional(),
  /** Where notes first name this one, of those that do not link to it. */
  mentions: z.array(mentionShape).optional(),
  /** Such notes; absent where not all that may be some were read. */
  mentions_total: z.int().optional(),
  /** Commits that changed it, newest first. */
  history: z.array(noteCommitShape).optional(),
  /** Which version this is, when one was asked for; hashes are then left out. */
  revision: revisionShape.optional(),
  remarks: z.array(z.string()),
});

export type GetAnswer = z.infer<typeof getOutput>;
export type ShownLink = z.infer<typeof linkShape>;
export type ShownBacklink = z.infer<typeof backlinkShape>;
export type ShownMention = z.infer<typeof mentionShape>;
export type NoteCommit = z.infer<typeof noteCommitShape>;
export type OutlineEntry = z.infer<typeof outlineShape>;
