import type { ErrorCode } from '@grove/core';
import { pathParameter } from '../parameters.ts';
import type { AnswerDescription, RouteDescription } from '../route-description.ts';

const ERRORS: readonly ErrorCode[] = [
  'not_acceptable',
  'unknown_parameter',
  'key_limited',
  'control_damaged',
  'control_newer',
];
const MAKING: readonly ErrorCode[] = [...ERRORS, 'data_unwritable'];

const KEY = {
  id: 'k_7Yx0bQ2mPz9w',
  name: 'Laptop',
  vault: 'garden',
  trail: null,
  scopes: ['read', 'append'],
  read_paths: [],
  write_paths: [],
  deny_paths: ['Private'],
  created_at: '2026-11-30T11:00:00.000Z',
  expires_at: '2027-02-28T11:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
  state: 'live',
  ending: 'x3Qk',
};

const ID = pathParameter('id', 'The id of a key.', { type: 'string', maxLength: 100 }, KEY.id);

function answer(description: string, schema: string, example: unknown): AnswerDescription {
  return { description, headers: ['Cache-Control'], content: { 'application/json': { schema, example } } };
}

const WITH_TOKEN = {
  key: KEY,
  token: 'grove_0000000000000000000000000000000000000000000',
};

/** `/v1/keys` */
export const keyDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/v1/keys',
    operationId: 'listKeys',
    tag: 'Keys',
    summary: 'List the keys of the vault',
    description: 'Newest first, revoked and expired ones included. No token is ever shown again.',
    access: 'admin',
    answers: { 200: answer('The keys.', 'KeyList', { keys: [KEY] }) },
    errors: ERRORS,
  },
  {
    method: 'post',
    path: '/v1/keys',
    operationId: 'createKey',
    tag: 'Keys',
    summary: 'Make a key',
    description: 'Of the same vault as the key that asks. The token is in this answer alone.',
    access: 'admin',
    body: {
      schema: 'NewKey',
      examples: {
        reading: { name: 'Laptop' },
        limited: { name: 'Phone', scopes: ['read', 'append'], expires: '90d', deny_paths: ['Private'] },
      },
    },
    answers: {
      201: {
        ...answer('The key, and its token.', 'KeyWithToken', WITH_TOKEN),
        headers: ['Location', 'Cache-Control'],
      },
    },
    errors: [...MAKING, 'bad_input', 'bad_rule', 'key_exists'],
  },
  {
    method: 'get',
    path: '/v1/keys/{id}',
    operationId: 'getKey',
    tag: 'Keys',
    summary: 'Look at a key',
    description: 'By its id; a name is no address.',
    access: 'admin',
    parameters: [ID],
    answers: { 200: answer('The key.', 'Key', KEY) },
    errors: ['bad_url', ...ERRORS, 'key_unknown'],
  },
  {
    method: 'delete',
    path: '/v1/keys/{id}',
    operationId: 'revokeKey',
    tag: 'Keys',
    summary: 'Revoke a key',
    description:
      'It ends at once and for good, and so do the streams that were opened with it. Again: the same answer.',
    access: 'admin',
    parameters: [ID],
    answers: {
      200: answer('The revoked key.', 'Key', { ...KEY, state: 'revoked', revoked_at: KEY.created_at }),
    },
    errors: ['bad_url', ...MAKING, 'key_unknown'],
  },
  {
    method: 'post',
    path: '/v1/keys/{id}/rotate',
    operationId: 'rotateKey',
    tag: 'Keys',
    summary: 'Give a key another token',
    description:
      'The token before ends at once. Id, name, scopes, paths and expiry stay. The token is in this answer alone.',
    access: 'admin',
    parameters: [ID],
    answers: { 200: answer('The key, and its token.', 'KeyWithToken', WITH_TOKEN) },
    errors: ['bad_url', ...MAKING, 'key_unknown', 'key_ended', 'key_expired'],
  },
];
