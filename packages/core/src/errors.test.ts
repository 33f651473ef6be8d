import { describe, expect, it } from 'vitest';
import { blobId, contentHash, errorCode, GroveError, isGroveError } from './index.ts';

describe('GroveError', () => {
  it('takes status and wording from the catalogue and fills the places', () => {
    const error = new GroveError('note_not_found', { path: 'Ideas.md' });
    expect(error.status).toBe(404);
    expect(error.message).toBe('No note answers to "Ideas.md".');
    expect(error.hint).toBe('Search for it with query, or list notes with list_notes.');
    expect(isGroveError(error, 'note_not_found')).toBe(true);
    expect(isGroveError(error, 'bad_path')).toBe(false);
  });

  it('ends a sentence once, with the question mark of its reason', () => {
    const error = new GroveError('bad_input', { reason: 'no client "curser"; did you mean cursor?' });
    expect(error.message).toMatch(/ did you mean cursor\?$/);
    expect(new GroveError('note_not_found', { path: 'Why?.md' }).message).toBe(
      'No note answers to "Why?.md".',
    );
  });

  it('keeps the cause for the log', () => {
    const cause = new Error('disk');
    expect(new GroveError('internal', {}, { cause }).cause).toBe(cause);
  });

  it('reads the code of a system error and of nothing else', () => {
    expect(errorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
    expect(errorCode(new Error('x'))).toBeUndefined();
    expect(errorCode(null)).toBeUndefined();
  });
});

describe('hashes', () => {
  it('are the first 16 hex digits of SHA-256', () => {
    expect(contentHash('')).toBe('e3b0c44298fc1c14');
  });

  it('name a blob as git does', () => {
    expect(blobId(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  });
});
