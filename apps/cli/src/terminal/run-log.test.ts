import { once } from 'node:events';
import { collect } from '@grove/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawSession } from '../testing/raw-session.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
beforeAll(() => {
  scratch = makeScratch();
});
afterAll(() => scratch.remove());

/** What a client that starts Grove itself finds in the log after one call. */
async function logged(env: Readonly<Record<string, string>>): Promise<string> {
  const session = new RawSession(['--vault', scratch.vault, '--data', scratch.data], {
    GROVE_LOG_LEVEL: 'info',
    ...env,
  });
  const stderr = collect(session.child.stderr);
  await session.initialize();
  await session.call('query', { query: 'compost' });
  await session.call('get', { path: 'No such note' });
  session.child.stdin.end();
  await once(session.child, 'close');
  return stderr();
}

it('over stdio each call has an id and a line, as JSON unless told', async () => {
  const lines = (await logged({})).split('\n').filter((line) => line.includes('called'));
  const [one, two] = lines.map((line) => JSON.parse(line));
  expect([one.tool, one.outcome, two.tool, two.outcome]).toEqual(['query', 'ok', 'get', 'note_not_found']);
  expect(one.reqId).toMatch(/^[\w-]{22}$/);
  expect(two.reqId).not.toBe(one.reqId);
  const readable = await logged({ GROVE_LOG_FORMAT: 'pretty' });
  expect(readable).toMatch(
    /^\d\d:\d\d:\d\d info {3}called \(reqId [\w-]{22}, tool query, outcome ok, ms [\d.]+\)$/m,
  );
}, 120_000);
