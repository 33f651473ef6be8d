import { expect, it } from 'vitest';
import { openApiDocument } from '../document.ts';
import { DescribedAnswers } from './described-answers.ts';

const described = new DescribedAnswers(openApiDocument('1.2.3'));
const problem = {
  type: 'x',
  title: 'x',
  status: 404,
  detail: 'x',
  code: 'note_not_found',
  hint: 'x',
  request_id: 'x',
};

it('takes what the description has', () => {
  expect(described.answerErrors('/healthz', 'get', 200, 'application/json', { status: 'ok' })).toBeNull();
  expect(
    described.answerErrors('/v1/notes/{path}', 'get', 404, 'application/problem+json', problem),
  ).toBeNull();
  expect(described.bodyErrors('/v1/query', 'post', { query: 'x' })).toBeNull();
});

it.each([
  ['another status', '/v1/query', 404, 'application/problem+json', problem],
  ['another code', '/v1/notes/{path}', 404, 'application/problem+json', { ...problem, code: 'key_unknown' }],
  ['another type', '/healthz', 200, 'text/html', { status: 'ok' }],
  ['another value', '/healthz', 200, 'application/json', { status: 'fine' }],
  ['one member more', '/healthz', 200, 'application/json', { status: 'ok', more: 1 }],
  ['a body where there is none', '/v1/notes/{path}', 304, 'text/plain', 'x'],
  ['no body where there is one', '/healthz', 200, '', null],
])('does not take %s', (_, path, status, type, body) => {
  expect(described.answerErrors(path, 'get', status, type, body)).toBeTypeOf('string');
});

it('does not take a body with other names or types', () => {
  expect(described.bodyErrors('/v1/query', 'post', { qery: 'x' })).toBeTypeOf('string');
  expect(described.bodyErrors('/v1/query', 'post', { query: 'x', limit: 'three' })).toBeTypeOf('string');
});
