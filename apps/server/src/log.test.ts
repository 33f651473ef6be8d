import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const LOG = fileURLToPath(new URL('./log.ts', import.meta.url));
const CORE = fileURLToPath(new URL('../../../packages/core/src/index.ts', import.meta.url));

/** What a process of its own writes to stderr. */
async function written(level: string, error: string): Promise<Record<string, unknown>> {
  const script = `import { createLog } from ${JSON.stringify(LOG)};
    import { GroveError } from ${JSON.stringify(CORE)};
    createLog(${JSON.stringify(level)}).warn({ err: ${error} }, 'it happened');`;
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toBe('');
  const line: { msg: string; err: Record<string, unknown> } = JSON.parse(stderr);
  expect(line.msg).toBe('it happened');
  return line.err;
}

describe('createLog', () => {
  it('tells an error of the catalogue without its stack, except to who looks for the cause', async () => {
    const error = "new GroveError('vault_missing', {})";
    expect(await written('warn', error)).toEqual({
      code: 'vault_missing',
      message: 'The vault folder is not there.',
      hint: expect.any(String),
    });
    expect(await written('debug', error)).toHaveProperty('stack');
  });

  it('tells the stack of what nobody foresaw', async () => {
    expect(await written('warn', "new TypeError('no')")).toMatchObject({
      message: 'no',
      stack: expect.stringContaining('TypeError'),
    });
  });
});
