import type { ErrorCode } from '@grove/core';
import { listNotes, MODES, query, vaultStatus } from '@grove/service';
import { pathParameter, queryParameters } from '../parameters.ts';
import type { AnswerDescription, RouteDescription } from '../route-description.ts';

const OF_INPUT: readonly ErrorCode[] = ['not_acceptable', 'bad_input', 'unknown_parameter'];
const OF_FILTERS: readonly ErrorCode[] = [
  ...OF_INPUT,
  'bad_filter',
  'bad_path',
  'bad_regex',
  'bad_cursor',
  'files_exhausted',
  'vault_degraded',
  'index_unavailable',
];
const OF_STATUS: readonly ErrorCode[] = [
  ...OF_INPUT,
  'bad_filter',
  'bad_cursor',
  'note_not_found',
  'note_ambiguous',
  'history_unavailable',
  'history_not_shared',
  'repository_unreadable',
];

function answer(description: string, schema: string, example: unknown, text: string): AnswerDescription {
  return {
    description,
    headers: ['Cache-Control', 'Vary'],
    content: {
      'application/json': { schema, example },
      'text/markdown': { schema: { type: 'string' }, example: text },
    },
  };
}

const HIT = {
  path: 'Compost.md',
  link: 'obsidian://open?vault=Garden&file=Compost',
  heading: 'Compost',
  line: 6,
  snippet: 'Turn it every three weeks.',
  modified: '2026-11-20T18:05:00+01:00',
};

const FOUND = answer(
  'Notes that match, best first, or passages of them.',
  'QueryAnswer',
  { total: 1, hits: [HIT], suggestions: [], remarks: [] },
  '1 note\n\n1. Compost.md:6 — Turn it every three weeks.\n',
);

const LISTED = answer(
  'One page of what was asked for, with totals.',
  'NoteList',
  {
    of: 'notes',
    total: 1,
    notes_total: 1,
    notes: [{ path: HIT.path, link: HIT.link, modified: HIT.modified, size: 74 }],
    remarks: [],
  },
  '1 note\n\nCompost.md · modified 2026-11-20 18:05\n',
);

const STATUS = answer(
  'The state of the vault as the key sees it.',
  'Status',
  {
    mode: 'health',
    vault: 'Garden',
    state: 'ready',
    dialect: 'obsidian',
    zone: 'Europe/Berlin',
    now: '2026-11-30T12:00:00+01:00',
    notes: 1,
    folders: 0,
    tags: 1,
    words: 7,
    bytes: 74,
    broken_frontmatter: [],
    broken_frontmatter_total: 0,
    index: { state: 'ready' },
    history: { ready: true },
    embedding: { configured: false, note: 'Search is by words.' },
    remarks: [],
  },
  'Garden: ready, 1 note\n',
);

const QUERY = 'Words, "phrases", -not, prefix*, title: tag: path: heading:, several searches fused, filters.';
const PAGES = 'The cursor of an answer, sent with the same call, gives the next page.';

/** Search, lists and status. */
export const readingDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/v1/query',
    operationId: 'queryByAddress',
    tag: 'Search',
    summary: 'Search the notes',
    description: `${QUERY} Lists repeat their name, objects are JSON text. ${PAGES}`,
    access: 'read',
    parameters: [
      {
        name: 'q',
        in: 'query',
        description: 'Short for `query`; send one of them.',
        schema: { type: 'string' },
      },
      ...queryParameters(query.parameters),
    ],
    answers: { 200: FOUND },
    errors: ['bad_url', ...OF_FILTERS],
  },
  {
    method: 'post',
    path: '/v1/query',
    operationId: 'query',
    tag: 'Search',
    summary: 'Search the notes, by a body',
    description: `${QUERY} ${PAGES}`,
    access: 'read',
    body: {
      schema: 'QueryInput',
      examples: {
        words: { query: 'compost weeks', limit: 3 },
        filters: { query: 'blight', tags: ['garden'], where: { status: 'active' } },
        regex: { searches: [{ type: 'regex', query: 'every (three|four) weeks' }] },
      },
    },
    answers: { 200: FOUND },
    errors: OF_FILTERS,
  },
  {
    method: 'post',
    path: '/v1/multi-get',
    operationId: 'multiGet',
    tag: 'Notes',
    summary: 'Read several notes',
    description: `Whole notes until the answer is full; the rest are named with their sizes. What could not be read is told note by note. ${PAGES}`,
    access: 'read',
    body: {
      schema: 'MultiGetInput',
      examples: {
        list: { paths: ['Compost.md', 'Tomatoes.md'] },
        glob: { paths: ['Daily/2026-11-*.md'], format: 'summary' },
      },
    },
    answers: {
      200: answer(
        'The notes, and what became of those that are not among them.',
        'MultiGetAnswer',
        {
          notes: [
            {
              path: HIT.path,
              link: HIT.link,
              content: '# Compost\n\nTurn it every three weeks.\n',
              line: 4,
              source_hash: '90a5b1c4d2e3f607',
              content_hash: '90a5b1c4d2e3f607',
              size: 74,
              modified: HIT.modified,
            },
          ],
          errors: [],
          rest: [],
          total: 1,
          remarks: [],
        },
        'Compost.md\n\n# Compost\n\nTurn it every three weeks.\n',
      ),
    },
    errors: [
      ...OF_INPUT,
      'bad_filter',
      'bad_cursor',
      'files_exhausted',
      'vault_degraded',
      'index_unavailable',
    ],
  },
  {
    method: 'get',
    path: '/v1/notes',
    operationId: 'listNotes',
    tag: 'Notes',
    summary: 'List notes',
    description: `Newest first, by folder, glob and filters; or tasks; or folders, tags, types with counts. ${PAGES}`,
    access: 'read',
    parameters: queryParameters(listNotes.parameters),
    answers: { 200: LISTED },
    errors: ['bad_url', ...OF_FILTERS],
  },
  {
    method: 'get',
    path: '/v1/tags',
    operationId: 'listTags',
    tag: 'Notes',
    summary: 'List tags',
    description: `The tags of the notes that the filters leave, with counts; a tag counts for those above it. ${PAGES}`,
    access: 'read',
    parameters: queryParameters(listNotes.parameters, ['of']),
    answers: {
      200: answer(
        'Tags with the number of their notes.',
        'NoteList',
        { of: 'tags', total: 1, notes_total: 1, groups: [{ name: 'soil', notes: 1 }], remarks: [] },
        '1 tag\n\nsoil (1)\n',
      ),
    },
    errors: ['bad_url', ...OF_FILTERS],
  },
  {
    method: 'get',
    path: '/v1/status',
    operationId: 'getHealth',
    tag: 'Status',
    summary: 'The health of the vault',
    description: 'The same as `/v1/status/health`.',
    access: 'read',
    parameters: queryParameters(vaultStatus.parameters, ['mode']),
    answers: { 200: STATUS },
    errors: ['bad_url', ...OF_STATUS],
  },
  {
    method: 'get',
    path: '/v1/status/{mode}',
    operationId: 'getStatus',
    tag: 'Status',
    summary: 'The state of the vault',
    description:
      'health: what is indexed, what is not and why; of one file when `path` names it. history: the commits that changed notes, newest first, as far as the key sees them. graph: the notes and their links, the whole or what is near `path`, or the way from `path` to `to`. digest: the notes by stage, and what needs a look today. diagnostics: what is wrong with the notes, or those of `path`, each with the call of write_note that mends it.',
    access: 'read',
    parameters: [
      pathParameter('mode', 'What to tell of.', { type: 'string', enum: MODES }, 'health'),
      ...queryParameters(vaultStatus.parameters, ['mode']),
    ],
    answers: { 200: STATUS },
    errors: ['bad_url', ...OF_STATUS],
  },
];
