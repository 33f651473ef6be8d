import { CATALOGUE, GroveError } from '@grove/core';
import { describe, expect, it } from 'vitest';
import { presentError } from '../operation/answer.ts';
import { errorShape, toErrorPayload } from './payload.ts';

describe('toErrorPayload', () => {
  it('gives code, message, next step and facts', () => {
    const payload = toErrorPayload(
      new GroveError('note_ambiguous', { path: 'a', candidates: [{ path: 'x/a.md' }] }),
    );
    expect(payload).toMatchObject({ code: 'note_ambiguous', candidates: [{ path: 'x/a.md' }] });
    expect(payload.next).toBe(CATALOGUE.note_ambiguous.hint);
    expect(errorShape.safeParse(payload).success).toBe(true);
    expect(presentError(payload)).toContain('- x/a.md');
  });

  it('hides what an unknown error says, and reports it', () => {
    const reported: unknown[] = [];
    const cause = new Error('ENOENT: /home/ann/Notes/secret.md');
    const payload = toErrorPayload(cause, (error) => {
      reported.push(error);
      return 'request-1';
    });
    expect(payload.code).toBe('internal');
    expect(JSON.stringify(payload)).not.toContain('/home');
    expect(reported).toEqual([cause]);
    expect(payload.request_id).toBe('request-1');
    expect(presentError(payload)).toMatch(/\nRequest: request-1$/);
  });

  it('shows no folder, socket or other fact that is not for callers', () => {
    const error = new GroveError('vault_owned', {
      pid: 1,
      host: 'h',
      socket: '/run/x.sock',
      root: '/home/ann',
    });
    expect(toErrorPayload(error)).not.toHaveProperty('socket');
    expect(JSON.stringify(toErrorPayload(error))).not.toContain('/home/ann');
  });

  it('keeps huge facts short and well formed', () => {
    const payload = toErrorPayload(new GroveError('note_not_found', { path: '\ud800'.repeat(100_000) }));
    expect(JSON.stringify(payload).length).toBeLessThan(6_000);
    expect(payload.message.isWellFormed()).toBe(true);
  });
});
