import type { ErrorCode } from '@grove/core';
import { conflicts } from '@grove/service';
import { syncQuery } from '../../routes/sync-contract.ts';
import { queryParameters } from '../parameters.ts';
import type { AnswerDescription, RouteDescription } from '../route-description.ts';
import { OF_WRITES } from './writing.ts';

const PLAIN: readonly ErrorCode[] = ['not_acceptable', 'unknown_parameter', 'key_limited'];

const SYNC = {
  vault: 'Garden',
  sync: {
    mode: 'on',
    state: 'idle',
    remote: 'origin',
    url: 'https://github.com/ada/notes.git',
    host: 'github.com',
    branch: 'main',
    last_pull: '2026-11-30T12:00:00+01:00',
    ahead: 0,
    behind: 0,
    conflicts: 0,
    next_at: '2026-11-30T12:05:00+01:00',
  },
  remarks: [],
};
const RUN = {
  pulled: 'fast_forward',
  pushed: false,
  changed: ['Compost.md'],
  changed_total: 1,
  conflicts: [],
  conflicts_total: 0,
};
const CONFLICT = {
  copy: 'Compost (conflict 2026-11-30 origin).md',
  note: 'Compost.md',
  note_hash: '6b1e3c5d7f9a0b2c',
  remote: 'origin',
  day: '2026-11-30',
  diff: '@@ -5 +5 @@\n-Turn it every three weeks.\n+Turn it every two weeks.\n',
};

function answer(description: string, schema: string, example: unknown): AnswerDescription {
  return { description, headers: ['Cache-Control'], content: { 'application/json': { schema, example } } };
}

function presented(description: string, schema: string, example: unknown, text: string): AnswerDescription {
  const told = answer(description, schema, example);
  return {
    ...told,
    headers: ['Cache-Control', 'Vary'],
    content: { ...told.content, 'text/markdown': { schema: { type: 'string' }, example: text } },
  };
}

/** `/v1/sync` and `/v1/conflicts` */
export const syncDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/v1/sync',
    operationId: 'getSync',
    tag: 'Sync',
    summary: 'How sync with the git remote stands',
    description: 'What is done by itself, what was done last, and what stands in the way.',
    access: 'admin',
    answers: { 200: answer('How it stands.', 'SyncAnswer', SYNC) },
    errors: PLAIN,
  },
  {
    method: 'post',
    path: '/v1/sync',
    operationId: 'runSync',
    tag: 'Sync',
    summary: 'Pull and push now',
    description:
      'By a key, or as a webhook of GitHub, Gitea or Forgejo (`X-Hub-Signature-256`) or GitLab (`X-Gitlab-Token`), signed with the secret of GROVE_SYNC_WEBHOOK_SECRET. What a webhook says is not read: it costs one look at the remote. What fails is told by `GET /v1/sync`, not here.',
    access: 'admin',
    parameters: queryParameters(syncQuery),
    answers: {
      200: answer('The run has ended; `run` says what it did.', 'SyncAnswer', { ...SYNC, run: RUN }),
      202: answer('A run was asked for.', 'SyncAccepted', { accepted: true }),
    },
    errors: [
      ...PLAIN,
      'bad_input',
      'vault_unknown',
      'webhook_refused',
      'sync_off',
      'body_too_large',
      'media_type_refused',
    ],
  },
  {
    method: 'get',
    path: '/v1/conflicts',
    operationId: 'listConflicts',
    tag: 'Sync',
    summary: 'List conflicts',
    description:
      'Copies that pulls and sync tools left beside notes, each with how it differs. A key that is kept from some notes hears of none.',
    access: 'read',
    parameters: queryParameters(conflicts.parameters),
    answers: {
      200: presented(
        'The conflicts.',
        'ConflictList',
        { conflicts: [CONFLICT], conflicts_total: 1, files: [] },
        '1 conflict to settle.\n',
      ),
    },
    errors: ['not_acceptable', 'bad_input', 'unknown_parameter', 'vault_degraded', 'files_exhausted'],
  },
  {
    method: 'post',
    path: '/v1/conflicts',
    operationId: 'settleConflict',
    tag: 'Sync',
    summary: 'Settle a conflict',
    description:
      'Keeps the note (`ours`), the copy in its place (`theirs`), or both. What loses stays in the history; a copy that goes lies in the trash.',
    access: 'write',
    body: {
      schema: 'Settlement',
      examples: {
        ours: { copy: CONFLICT.copy, keep: 'ours' },
        both: { copy: CONFLICT.copy, keep: 'both', as: 'Compost of Bob.md' },
      },
    },
    answers: {
      200: presented(
        'It is settled.',
        'SettleAnswer',
        { copy: CONFLICT.copy, kept: 'ours', note: CONFLICT.note, conflicts_left: 0 },
        'Compost.md stays as it is.\n',
      ),
    },
    errors: [
      ...OF_WRITES,
      'conflict_unknown',
      'delete_denied',
      'confirmation_needed',
      'confirmation_declined',
      'confirmation_void',
      'confirmations_full',
    ],
  },
];
