import type { ErrorCode } from '@grove/core';
import { previewParameters, usageParameters } from '../../routes/trail-contract.ts';
import { pathParameter, queryParameters } from '../parameters.ts';
import type { AnswerDescription, RouteDescription } from '../route-description.ts';

const ERRORS: readonly ErrorCode[] = ['not_acceptable', 'key_limited', 'control_damaged', 'control_newer'];
const PLAIN: readonly ErrorCode[] = [...ERRORS, 'unknown_parameter'];
const CHANGING: readonly ErrorCode[] = [...PLAIN, 'data_unwritable'];
const ONE: readonly ErrorCode[] = ['bad_url', 'trail_unknown'];

const TRAIL = {
  id: 't_4Kd0wV8uQz1m',
  name: 'Book club',
  vault: 'garden',
  allow_tags: ['books'],
  deny_tags: [],
  allow_types: [],
  deny_types: [],
  allow_paths: [],
  deny_paths: ['Private'],
  write_folders: [],
  reads: 60,
  writes: 0,
  created_at: '2026-11-30T11:00:00.000Z',
  expires_at: '2026-12-30T11:00:00.000Z',
  disabled_at: null,
  last_used_at: null,
  state: 'live',
};
const TOKEN = {
  id: 'k_7Yx0bQ2mPz9w',
  name: 'token',
  vault: 'garden',
  trail: TRAIL.id,
  scopes: ['read'],
  read_paths: [],
  write_paths: [],
  deny_paths: [],
  created_at: TRAIL.created_at,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  state: 'live',
  ending: 'x3Qk',
};
const GRANT = {
  id: 'V1StGXR8_Z5jdHi6B-myT',
  vault: 'garden',
  trail: TRAIL.id,
  scopes: ['read'],
  client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
  client_name: 'Claude',
  redirect_host: 'claude.ai',
  resource: 'https://notes.example.org/mcp',
  created_at: TRAIL.created_at,
  last_used_at: null,
  revoked_at: null,
  state: 'live',
};
const SECRET = 'grove_0000000000000000000000000000000000000000000';
const INVITE_URL = 'https://notes.example.org/invite/invite_0000000000000000000000000000000000000000000';
const SUM = { calls: 12, notes: 30, refused: 1, last_at: TRAIL.created_at };

const ID = pathParameter('id', 'The id of a trail.', { type: 'string', maxLength: 100 }, TRAIL.id);
const GRANT_ID = pathParameter('id', 'The id of a grant.', { type: 'string', maxLength: 200 }, GRANT.id);

function answer(description: string, schema: string, example: unknown): AnswerDescription {
  return { description, headers: ['Cache-Control'], content: { 'application/json': { schema, example } } };
}

function oneTrail(
  method: RouteDescription['method'],
  verb: string | null,
  words: Pick<RouteDescription, 'operationId' | 'summary' | 'description' | 'answers'> &
    Partial<Pick<RouteDescription, 'body' | 'parameters' | 'errors'>>,
): RouteDescription {
  const { parameters = [], errors = CHANGING, ...rest } = words;
  return {
    method,
    path: verb === null ? '/v1/trails/{id}' : `/v1/trails/{id}/${verb}`,
    tag: 'Trails',
    access: 'admin',
    ...rest,
    parameters: [ID, ...parameters],
    errors: [...ONE, ...errors],
  };
}

/** `/v1/trails` and `/v1/grants` */
export const trailDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/v1/trails',
    operationId: 'listTrails',
    tag: 'Trails',
    summary: 'List the trails of the vault',
    description: 'Newest first, disabled and expired ones included. No secret is ever shown again.',
    access: 'admin',
    answers: { 200: answer('The trails.', 'TrailList', { trails: [TRAIL] }) },
    errors: PLAIN,
  },
  {
    method: 'post',
    path: '/v1/trails',
    operationId: 'createTrail',
    tag: 'Trails',
    summary: 'Share a part of the vault',
    description:
      'A note is in the trail when every list agrees. The token and the invite link are in this answer alone.',
    access: 'admin',
    body: {
      schema: 'NewTrail',
      examples: {
        tag: { name: 'Book club', allow_tags: ['books'], deny_paths: ['Private'], expires: '30d' },
        folder: { name: 'Allotment', allow_paths: ['Garden'], write_folders: ['Garden/Inbox'], writes: 10 },
      },
    },
    answers: {
      201: {
        ...answer('The trail, its first token and its invite link.', 'TrailWithSecrets', {
          trail: TRAIL,
          token: SECRET,
          invite_url: INVITE_URL,
        }),
        headers: ['Location', 'Cache-Control'],
      },
    },
    errors: [...CHANGING, 'bad_input', 'bad_rule', 'trail_exists'],
  },
  oneTrail('get', null, {
    operationId: 'getTrail',
    summary: 'Look at a trail',
    description: 'By its id; a name is no address. With its tokens and the clients that were let in by it.',
    answers: {
      200: answer('The trail.', 'TrailDetail', { trail: TRAIL, tokens: [TOKEN], grants: [GRANT] }),
    },
    errors: PLAIN,
  }),
  oneTrail('patch', null, {
    operationId: 'updateTrail',
    summary: 'Change a trail',
    description:
      'What is left out stays; an empty list takes its rules away. What was opened by the trail before ends, and may come again under the new rules.',
    body: {
      schema: 'TrailChange',
      examples: { narrow: { deny_tags: ['draft'] }, longer: { expires: 'never', reads: 120 } },
    },
    answers: { 200: answer('The changed trail.', 'Trail', TRAIL) },
    errors: [...CHANGING, 'bad_input', 'bad_rule', 'trail_exists'],
  }),
  oneTrail('delete', null, {
    operationId: 'deleteTrail',
    summary: 'Delete a trail',
    description: 'Its tokens, its invite link and the grants by it end at once and for good.',
    answers: { 200: answer('The trail as it was.', 'Trail', TRAIL) },
  }),
  oneTrail('post', 'disable', {
    operationId: 'disableTrail',
    summary: 'Let nobody in by a trail',
    description: 'From the next call on, until it is enabled. Again: the same answer.',
    answers: {
      200: answer('The disabled trail.', 'Trail', {
        ...TRAIL,
        state: 'disabled',
        disabled_at: TRAIL.created_at,
      }),
    },
  }),
  oneTrail('post', 'enable', {
    operationId: 'enableTrail',
    summary: 'Let in by a trail again',
    description: 'Tokens and grants that it had are good again. Again: the same answer.',
    answers: { 200: answer('The enabled trail.', 'Trail', TRAIL) },
  }),
  oneTrail('post', 'token', {
    operationId: 'createTrailToken',
    summary: 'Make one more token of a trail',
    description:
      'Those there are stay; /v1/keys/{id} revokes one by its id. The token is in this answer alone. The body may be left out.',
    body: { schema: 'NewTrailToken', examples: { named: { name: 'Ada’s laptop' } } },
    answers: {
      201: answer('The token.', 'KeyWithToken', { key: TOKEN, token: SECRET }),
    },
    errors: [...CHANGING, 'bad_input', 'key_exists'],
  }),
  oneTrail('post', 'invite', {
    operationId: 'createTrailInvite',
    summary: 'Make another invite link of a trail',
    description: 'The link before ends; who came by it stays. The link is in this answer alone.',
    answers: { 201: answer('The link.', 'TrailInvite', { trail: TRAIL, invite_url: INVITE_URL }) },
  }),
  oneTrail('get', 'usage', {
    operationId: 'getTrailUsage',
    summary: 'See what a trail was used for',
    description: 'Calls, notes in the answers and refusals, by day in UTC; as long as the audit is kept.',
    parameters: queryParameters(usageParameters),
    answers: {
      200: answer('The usage.', 'TrailUsage', {
        trail: TRAIL,
        ...SUM,
        days: [{ day: '2026-11-30', ...SUM }],
      }),
    },
    errors: [...PLAIN, 'bad_input'],
  }),
  oneTrail('get', 'preview', {
    operationId: 'previewTrail',
    summary: 'See what a trail shows',
    description:
      'The notes that are shown, why a given note is in or out, and where notes that are shown name others that are not: what people typed is served as it is.',
    parameters: queryParameters(previewParameters),
    answers: {
      200: answer('The preview.', 'TrailPreview', {
        trail: TRAIL,
        visible: 1,
        hidden: 41,
        notes: [{ path: 'Books/Emma.md' }],
        remarks: [],
        verdict: {
          path: 'Private/Diary.md',
          visible: false,
          reason: 'It lies in "Private", which is denied.',
        },
        warnings: [
          { path: 'Books/Emma.md', line: 12, text: '[[Diary]]', how: 'link', names: 'Private/Diary.md' },
        ],
        complete: true,
      }),
    },
    errors: [...PLAIN, 'bad_input', 'note_not_found', 'note_ambiguous'],
  }),
  {
    method: 'get',
    path: '/v1/grants',
    operationId: 'listGrants',
    tag: 'Trails',
    summary: 'List the clients that were let in',
    description: 'Grants of OAuth clients to this vault, newest first, ended ones included.',
    access: 'admin',
    answers: { 200: answer('The grants.', 'GrantList', { grants: [GRANT] }) },
    errors: PLAIN,
  },
  {
    method: 'delete',
    path: '/v1/grants/{id}',
    operationId: 'revokeGrant',
    tag: 'Trails',
    summary: 'Revoke a grant',
    description: 'It ends at once and for good, with every token of it. Again: the same answer.',
    access: 'admin',
    parameters: [GRANT_ID],
    answers: {
      200: answer('The revoked grant.', 'Grant', {
        ...GRANT,
        state: 'revoked',
        revoked_at: TRAIL.created_at,
      }),
    },
    errors: ['bad_url', 'grant_unknown', ...CHANGING],
  },
];
