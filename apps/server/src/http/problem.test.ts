import { describe, expect, it } from 'vitest';
import { problemOf } from './problem.ts';

describe('problemOf', () => {
  it('says what happened first, then the facts, and lets no fact replace it', () => {
    const error = { code: 'bad_input', message: 'No.', next: 'Mend it.', reason: 'odd', status: 'active' };
    const problem = problemOf(error, 422, 'r1');
    expect(JSON.stringify(problem)).toBe(
      '{"type":"/docs/errors#bad_input","title":"Unprocessable Entity","status":422,"detail":"No.","code":"bad_input","hint":"Mend it.","request_id":"r1","reason":"odd"}',
    );
  });
});
