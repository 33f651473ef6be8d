import { readFile } from 'node:fs/promises';
import { GroveError } from '@grove/core';
import { ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../log.ts';
import { toldErrors } from './told-errors.ts';

const log = createLog('silent');

describe('what a resource tells of a failure', () => {
  it('never holds the words of the system, which name folders', async () => {
    const handle = toldErrors(log, async (path: string) => await readFile(path));
    const error = await handle('/nowhere/secret/note.md').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: ProtocolErrorCode.InternalError });
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('secret');
  });

  it('holds the words of the catalogue', async () => {
    const degraded = toldErrors(log, async () => {
      throw new GroveError('vault_degraded');
    });
    await expect(degraded()).rejects.toMatchObject({
      code: ProtocolErrorCode.InternalError,
      message: expect.stringContaining('vanished'),
    });
    const large = toldErrors(log, async () => {
      throw new GroveError('note_too_large', { path: 'A.md', size: 9, limit: 1 });
    });
    await expect(large()).rejects.toMatchObject({ code: ProtocolErrorCode.InvalidParams });
  });

  it('is the protocol’s own where the protocol has one, and answers pass', async () => {
    const missing = toldErrors(log, async () => {
      throw new ResourceNotFoundError('vault://note/A.md');
    });
    await expect(missing()).rejects.toBeInstanceOf(ResourceNotFoundError);
    expect(await toldErrors(log, async (value: number) => value + 1)(1)).toBe(2);
  });
});
