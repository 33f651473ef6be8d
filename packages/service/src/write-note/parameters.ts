import { WRITE_ACTIONS } from '@grove/writes';
import { anyObject } from '../parameters/any-object.ts';
import type { NarrowSchema } from '../parameters/narrow-schema.ts';
import {
  choice,
  content,
  flag,
  type InputOf,
  maybeFlag,
  newName,
  object,
  objects,
  type Parameter,
  prose,
  text,
  texts,
  whole,
} from '../parameters/parameter.ts';
import { editShape } from './edit-shape.ts';
import { asFrontmatter } from './frontmatter-text.ts';

/** Most entries of one list: tags, keys, edits. */
const MOST = 100;

/** What most edits need, and the names of the rest. */
const EDITS_SCHEMA: NarrowSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      find: { type: 'string' },
      replace: { type: 'string' },
      all: { type: 'boolean' },
      regex: { type: 'boolean' },
    },
    required: ['find', 'replace'],
  },
  description: 'For edit. Each find must fit once unless all. Also case, whole_word, scope: frontmatter.',
};

/** A parameter whose schema is said by hand: what comes out of its type would fill the list of tools. */
function withSchema<T>(advertised: NarrowSchema, parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, advertised };
}

/** What one operation takes; in `operations` each entry has the same fields. */
export const operationParameters = {
  action: choice(WRITE_ACTIONS, 'write: the whole note.', {
    guesses: ['mode', 'operation', 'op', 'command', 'type'],
  }),
  path: newName('Exact path, or the name or alias of one note, or today.', {
    guesses: ['file', 'filename', 'filepath', 'file_path', 'note', 'name', 'title', 'id', 'target'],
  }),
  section: text('Heading, Heading#Sub or ^block.', {
    guesses: ['heading', 'block', 'anchor', 'part', 'under'],
  }),
  content: content('Markdown, as it shall stand in the note.', {
    guesses: ['text', 'body', 'markdown', 'value', 'data', 'new_content'],
  }),
  frontmatter: object('Properties of the note.', {
    widen: asFrontmatter,
    expects: 'an object, its JSON text, or YAML',
    guesses: ['properties', 'metadata', 'yaml'],
  }),
  edits: withSchema(
    EDITS_SCHEMA,
    objects(
      editShape,
      {
        max: MOST,
        expects:
          'objects {find, replace, all, regex, case, whole_word, flexible_whitespace, scope: body|frontmatter|note}',
      },
      '',
      { guesses: ['edit', 'find', 'replace', 'old_string', 'new_string', 'old_text', 'new_text', 'changes'] },
    ),
  ),
  set: object('For frontmatter: keys and values.', { guesses: ['fields', 'update'] }),
  unset: texts({ commas: false, max: MOST }, 'For frontmatter: keys to drop.', {
    guesses: ['delete', 'drop'],
  }),
  add: texts({ commas: true, max: MOST }, 'For tags.', { guesses: ['tags', 'add_tags', 'tag'] }),
  remove: texts({ commas: true, max: MOST }, 'For tags.', { guesses: ['remove_tags'] }),
  location: choice(['frontmatter', 'inline', 'both'], 'Where tags are.', { guesses: ['where'] }),
  to: newName('Move: path or folder/.', { guesses: ['new_path', 'destination'] }),
  from: object('Restore: {batch} or {revision}.', { guesses: ['source'] }),
  if_hash: text('source_hash or section_hash as read; write and replace need it. * for any.', {
    guesses: [
      'hash',
      'source_hash',
      'content_hash',
      'section_hash',
      'etag',
      'if_match',
      'expected_hash',
      'version',
    ],
  }),
  if_hash_from_op: whole(
    { min: 0, max: 99, absent: null },
    'The source_hash of that operation of the batch.',
    {
      isAdvertised: false,
    },
  ),
  create_only: flag(false, 'Only where there is no note yet.', {
    guesses: ['if_none_match'],
    isAdvertised: false,
  }),
  // What only an error asks for need not be known before.
  overwrite: flag(false, 'Write though much would go.', { guesses: ['force'], isAdvertised: false }),
  create_section: flag(false, 'Make a section that is not there.', {
    guesses: ['create', 'create_if_missing', 'create_heading'],
  }),
  subsections: maybeFlag('Replace: false keeps subsections, true drops them.', {
    guesses: ['recursive', 'children'],
    isAdvertised: false,
  }),
  timestamp: flag(false, 'Append as "- HH:MM text".', { guesses: ['time'] }),
  repeat: flag(false, 'Append though it is there already.', {
    guesses: ['allow_duplicate', 'duplicate'],
    isAdvertised: false,
  }),
  reason: prose('Why; goes into the commit.', {
    guesses: ['message', 'commit_message', 'comment', 'summary'],
  }),
} as const;

/** What the call takes beside its operation, or its operations. */
export const callParameters = {
  operations: objects(
    anyObject,
    { max: MOST, expects: 'objects with the fields above' },
    'Several at once: objects with the fields above, and if_hash_from_op (index of an earlier one).',
    { guesses: ['ops', 'batch', 'writes', 'calls'] },
  ),
  atomic: flag(false, 'All operations in one commit, or none.'),
  dry_run: flag(false, 'Only tell what would change.', { guesses: ['preview', 'simulate'] }),
  idempotency_key: text('The same key and call again give the same answer.', { isAdvertised: false }),
  wait: choice(['none', 'embedded'], 'Answer when the vectors are there too.', { isAdvertised: false }),
  merge: flag(true, 'False refuses every stale hash.', { isAdvertised: false }),
} as const;

export const writeNoteParameters = { ...operationParameters, ...callParameters } as const;

export type OperationFields = InputOf<typeof operationParameters>;
