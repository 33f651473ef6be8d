import type { ErrorCode } from '@grove/core';
import { get } from '@grove/service';
import { pathParameter, queryParameters } from '../parameters.ts';
import type { Json, RouteDescription } from '../route-description.ts';

const ERRORS: readonly ErrorCode[] = [
  'bad_url',
  'not_acceptable',
  'bad_input',
  'unknown_parameter',
  'bad_path',
  'note_not_found',
  'note_unclear',
  'note_ambiguous',
  'note_not_text',
  'note_too_large',
  'revision_not_found',
  'history_unavailable',
  'history_not_shared',
  'repository_unreadable',
  'section_not_found',
  'section_ambiguous',
  'files_exhausted',
  'vault_degraded',
  'index_unavailable',
];

const EXAMPLE = {
  found: true,
  path: 'Compost.md',
  link: 'obsidian://open?vault=Garden&file=Compost',
  resolved: 'path',
  format: 'full',
  tags: ['soil'],
  frontmatter: { tags: ['soil'] },
  size: 74,
  words: 7,
  created: '2026-03-01T09:30:00+01:00',
  modified: '2026-11-20T18:05:00+01:00',
  content: '# Compost\n\nTurn it every three weeks.\n',
  line: 4,
  end_line: 6,
  source_hash: '90a5b1c4d2e3f607',
  content_hash: '90a5b1c4d2e3f607',
  total_chars: 37,
  remarks: [],
};

const HEADERS = ['ETag', 'Content-Location', 'Cache-Control', 'Vary'];

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'Entity tags of forms that the client holds, such as `"90a5b1c4d2e3f607"`, or `*`: an unchanged note is answered 304.',
  schema: { type: 'string' },
};

const PARAMETERS = [
  pathParameter(
    'path',
    'A path of the vault, with or without `.md`; else a name, an alias, a date, `today`. Slashes stay as they are; each segment is percent-encoded once.',
    { type: 'string', minLength: 1, maxLength: 4096 },
    'Compost.md',
  ),
  ...queryParameters(get.parameters, ['path']),
  IF_NONE_MATCH,
];

const DESCRIPTION = [
  'The note is found as `get` finds it, and `Content-Location` says where. It is never cut.',
  'As JSON it comes with its properties, times, hashes and, when asked, links. As `text/markdown` it is the bytes of its file, or the text of the section; a map, or a note with its links, is text about it.',
  'The `ETag` is that of the whole note: `"source_hash"` for JSON, with `.md` after the hash for Markdown. A section, a map, a part and a note with its links have none.',
].join('\n\n');

/** `/v1/notes/{path}` */
export const noteDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/v1/notes/{path}',
    operationId: 'getNote',
    tag: 'Notes',
    summary: 'Read a note',
    description: DESCRIPTION,
    access: 'read',
    parameters: PARAMETERS,
    answers: {
      200: {
        description: 'The note, or the part of it that was asked for.',
        headers: HEADERS,
        content: {
          'application/json': { schema: 'Note', example: EXAMPLE },
          'text/markdown': {
            schema: { type: 'string' },
            example: '---\ntags: [soil]\n---\n# Compost\n\nTurn it every three weeks.\n',
          },
        },
      },
      304: { description: 'The note is as the client holds it.', headers: HEADERS },
    },
    errors: ERRORS,
  },
  {
    method: 'head',
    path: '/v1/notes/{path}',
    operationId: 'headNote',
    tag: 'Notes',
    summary: 'Look whether a note is there, and as which version',
    description: 'The headers of `GET`, without the note.',
    access: 'read',
    parameters: PARAMETERS,
    answers: {
      200: { description: 'The note is there.', headers: HEADERS },
      304: { description: 'The note is as the client holds it.', headers: HEADERS },
    },
    errors: ERRORS,
  },
];
