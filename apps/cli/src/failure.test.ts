import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError, SQLITE } from '@grove/core';
import { describe, expect, it } from 'vitest';
import { describeFailure } from './failure.ts';

/** An error as the system gives it. */
function systemError(code: string, path?: string): Error {
  return Object.assign(new Error(`${code}: not now`), { code, syscall: 'mkdir', ...(path && { path }) });
}

describe('describeFailure', () => {
  it('says which folder Grove may not use, and what to do', () => {
    expect(describeFailure(systemError('EACCES', '/data/grove'))).toEqual({
      code: 'internal',
      message: 'Grove may not use /data/grove (EACCES).',
      hint: expect.stringContaining('--data DIR'),
    });
    expect(describeFailure(systemError('EROFS', '/data')).message).toContain('/data');
    expect(describeFailure(systemError('ENOSPC')).message).toBe('The disk is full.');
  });

  it.each([
    [SQLITE.FULL, 'The disk is full.', 'Make room'],
    [SQLITE.IOERR, 'The disk answers with an error.', 'full or failing'],
    [SQLITE.READONLY, 'Grove may not use a file of its data folder.', '--data DIR'],
    [SQLITE.CANTOPEN, 'Grove may not use a file of its data folder.', '--data DIR'],
  ])('says what a database that answers %i lacks', (errcode, message, hint) => {
    const error = Object.assign(new Error('not now'), { code: 'ERR_SQLITE_ERROR', errcode });
    expect(describeFailure(error)).toEqual({
      code: 'internal',
      message,
      hint: expect.stringContaining(hint),
    });
  });

  it('asks for a command to be run again, not for a call to be sent', () => {
    const { hint } = describeFailure(new GroveError('bad_input', { reason: '"90" is no expiry' }));
    expect(hint).toBe('Correct it and run the command again.');
  });

  it('keeps the words of the catalogue, and the cause of what nobody foresaw', async () => {
    const known = describeFailure(new GroveError('note_not_found', { path: 'a.md' }));
    expect(known).toMatchObject({ code: 'note_not_found', message: 'No note answers to "a.md".' });
    const unforeseen: unknown = await mkdir(join('/dev/null', 'x')).catch((error: unknown) => error);
    expect(describeFailure(unforeseen)).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('ENOTDIR'),
    });
  });
});
