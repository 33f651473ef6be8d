import type { ErrorCode } from '@grove/core';
import { ADDING, appendQuery, deleteQuery, putQuery, writeQuery } from '../../routes/write-parameters.ts';
import { pathParameter, queryParameters } from '../parameters.ts';
import type { AnswerDescription, Json, RouteDescription } from '../route-description.ts';

/** What every write may be refused with. */
export const OF_WRITES: readonly ErrorCode[] = [
  'not_acceptable',
  'bad_input',
  'unknown_parameter',
  'bad_path',
  'note_not_found',
  'note_ambiguous',
  'note_not_text',
  'scope_missing',
  'writes_off',
  'writes_unavailable',
  'read_only',
  'denied_path',
  'outside_read_paths',
  'outside_write_paths',
  'not_writable',
  'hash_required',
  'stale_hash',
  'note_exists',
  'payload_too_large',
  'note_would_be_too_large',
  'section_not_found',
  'section_ambiguous',
  'section_overrun',
  'would_shrink',
  'elided_content',
  'would_drop_subsections',
  'unclosed_block',
  'edit_no_match',
  'edit_ambiguous',
  'frontmatter_broken',
  'would_break_frontmatter',
  'second_frontmatter',
  'frontmatter_entangled',
  'folder_is_file',
  'path_refused',
  'path_taken',
  'write_conflict',
  'write_queue_full',
  'idempotency_key_reused',
  'git_busy',
  'git_filter_unsupported',
  'git_ignored',
  'git_in_operation',
  'git_in_submodule',
  'repository_full',
  'repository_unwritable',
  'repository_unreadable',
  'disk_full',
  'disk_unwritable',
  'ledger_unavailable',
  'files_exhausted',
  'vault_degraded',
  'schema_violation',
];
const OF_MOVING: readonly ErrorCode[] = ['not_in_trash', 'revision_not_found'];
const OF_DELETING: readonly ErrorCode[] = [
  'delete_denied',
  'confirmation_needed',
  'confirmation_declined',
  'confirmation_void',
  'confirmations_full',
];

const PATH = pathParameter(
  'path',
  'A path of the vault, with or without `.md`; else the name or alias of one note, or `today`. Slashes stay as they are; each segment is percent-encoded once.',
  { type: 'string', minLength: 1, maxLength: 4096 },
  'Compost.md',
);

const text: Json = { type: 'string' };
const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the note as it was read, of either form; several, of which one must match; or `*` for whatever is there. What it stands for must still be there, else 412. Weak tags match nothing.',
  schema: text,
};
const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: only where there is no note yet, else 412.',
  schema: { type: 'string', enum: ['*'] },
};
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and request again give the first answer; nothing is written twice.',
  schema: { type: 'string', minLength: 1, maxLength: 257 },
};

const RESULT = {
  action: 'append',
  path: 'Compost.md',
  link: 'obsidian://open?vault=Garden&file=Compost',
  commit: '1f0c5a8e6b7d4c3291a0e8f7d6c5b4a392817060',
  source_hash: '90a5b1c4d2e3f607',
  content_hash: '90a5b1c4d2e3f607',
  size_before: 74,
  size_after: 97,
  diff: '@@ -6,0 +7 @@\n+- Turned it today.\n',
  remarks: [],
};

const DELETED = {
  action: 'delete',
  path: 'Compost.md',
  link: 'obsidian://open?vault=Garden&file=Compost',
  commit: RESULT.commit,
  size_before: 74,
  undo: { action: 'restore', path: 'Compost.md', from: { batch: '20261130T110000-7c1f' } },
  remarks: [],
};

function answer(description: string, example: unknown, headers: readonly string[]): AnswerDescription {
  return {
    description,
    headers: [...headers, 'Cache-Control', 'Vary'],
    content: {
      'application/json': { schema: 'WriteAnswer', example },
      'text/markdown': { schema: text, example: 'Changed: Compost.md · 74 to 97 bytes' },
    },
  };
}

const CHANGED = answer(
  'What was changed; or nothing, as it was there already or `dry_run` was sent.',
  RESULT,
  ['ETag'],
);
const CREATED = answer('The note was created.', { ...RESULT, created: true }, ['ETag', 'Location']);

const ABOUT =
  'Each change is a commit. Writing is off until the owner of the vault switches it on (`grove vault writes on`).';

/** What writes. */
export const writingDescriptions: readonly RouteDescription[] = [
  {
    method: 'put',
    path: '/v1/notes/{path}',
    operationId: 'putNote',
    tag: 'Writing',
    summary: 'Write a whole note',
    description: `${ABOUT}\n\nA note that is there needs If-Match. Text without frontmatter keeps that of the note. A write that would drop over half of a note, or that holds a line standing for text left out, is refused unless \`overwrite\` is sent.`,
    access: ADDING,
    parameters: [PATH, ...queryParameters(putQuery), IF_MATCH, IF_NONE_MATCH, IDEMPOTENCY_KEY],
    body: {
      schema: 'NewNote',
      examples: {
        text: { content: '# Compost\n\nTurn it every three weeks.\n' },
        properties: { content: '# Compost\n', frontmatter: { tags: ['soil'] }, reason: 'A first note' },
      },
      texts: { 'text/markdown': '# Compost\n\nTurn it every three weeks.\n' },
    },
    answers: { 200: CHANGED, 201: CREATED },
    errors: ['bad_url', ...OF_WRITES],
  },
  {
    method: 'patch',
    path: '/v1/notes/{path}',
    operationId: 'patchNote',
    tag: 'Writing',
    summary: 'Change a part of a note',
    description: `${ABOUT}\n\nOne operation of the tool write_note, without its path: every action but write and delete. If-Match says the same as \`if_hash\`, which may also be the hash of the section.`,
    access: ADDING,
    parameters: [PATH, ...queryParameters(writeQuery), IF_MATCH, IF_NONE_MATCH, IDEMPOTENCY_KEY],
    body: {
      schema: 'NoteChange',
      examples: {
        edit: { action: 'edit', edits: [{ find: 'three weeks', replace: 'two weeks' }] },
        section: { action: 'replace', section: 'Greens', content: 'Grass.', if_hash: '90a5b1c4d2e3f607' },
        properties: { action: 'frontmatter', set: { status: 'done' }, unset: ['due'] },
        tags: { action: 'tags', add: ['soil'], remove: ['todo'] },
      },
    },
    answers: { 200: CHANGED, 201: CREATED },
    errors: ['bad_url', ...OF_WRITES, ...OF_MOVING],
  },
  {
    method: 'delete',
    path: '/v1/notes/{path}',
    operationId: 'deleteNote',
    tag: 'Writing',
    summary: 'Delete a note',
    description: `${ABOUT}\n\nNeeds If-Match. The note goes to the trash of the vault and out of git; \`undo\` in the answer is the operation that brings it back, for PATCH without its path. Where the vault has \`deletes: confirm\`, the answer is 403 until its owner has said yes with \`grove approve\`; then the same request passes once, within five minutes.`,
    access: 'write',
    parameters: [PATH, ...queryParameters(deleteQuery), IF_MATCH, IDEMPOTENCY_KEY],
    answers: {
      200: answer('The note was deleted; or would be, as `dry_run` was sent.', DELETED, []),
    },
    errors: ['bad_url', ...OF_WRITES, ...OF_DELETING],
  },
  {
    method: 'post',
    path: '/v1/notes/{path}/append',
    operationId: 'appendToNote',
    tag: 'Writing',
    summary: 'Append to a note',
    description: `${ABOUT}\n\nPlain text is enough. Creates the note where there is none. What is at the end of the note already, or came in the same words within two minutes, is not added again unless \`repeat\` is sent.`,
    access: 'append',
    parameters: [PATH, ...queryParameters(appendQuery), IF_MATCH, IF_NONE_MATCH, IDEMPOTENCY_KEY],
    body: {
      schema: 'Addition',
      examples: { log: { content: 'Turned it today.', section: 'Log', timestamp: true } },
      texts: { 'text/plain': '- Turned it today.\n', 'text/markdown': '- Turned it today.\n' },
    },
    answers: { 200: CHANGED, 201: CREATED },
    errors: ['bad_url', ...OF_WRITES],
  },
  {
    method: 'post',
    path: '/v1/batch',
    operationId: 'writeBatch',
    tag: 'Writing',
    summary: 'Change several notes',
    description: `${ABOUT}\n\nUp to 100 operations of the tool write_note, each a commit of its own with an answer of its own; with \`atomic\` one commit or nothing.`,
    access: ADDING,
    parameters: [IDEMPOTENCY_KEY],
    body: {
      schema: 'Batch',
      examples: {
        two: {
          atomic: true,
          operations: [
            { action: 'append', path: 'Compost.md', content: '- Turned it today.' },
            { action: 'tags', path: 'Compost.md', add: ['soil'] },
          ],
        },
      },
    },
    answers: {
      200: answer('What became of each operation.', { results: [{ op: 0, ...RESULT }], remarks: [] }, []),
    },
    errors: [
      ...OF_WRITES,
      ...OF_MOVING,
      ...OF_DELETING,
      'confirmation_too_large',
      'batch_refused',
      'batch_too_large',
    ],
  },
];
