import { once } from 'node:events';
import { collect, end } from '@grove/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, NO_HOME, runGrove, spawnGrove } from '../testing/processes.ts';
import { RawSession } from '../testing/raw-session.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
beforeAll(() => {
  scratch = makeScratch(50);
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterAll(() => scratch.remove());

async function sessions(count: number): Promise<RawSession[]> {
  const open: RawSession[] = [];
  for (let index = 0; index < count; index += 1) {
    const session = new RawSession(args);
    await session.initialize();
    open.push(session);
  }
  return open;
}

async function searchFinds(session: RawSession): Promise<void> {
  const found = await session.call('query', { query: 'xylophone' });
  expect(found.structuredContent.hits[0]).toMatchObject({ path: 'Private/Diary.md' });
}

/** Every request got exactly one answer, and no answer came for what was never asked. */
function expectOneAnswerEach(session: RawSession, asked: number): void {
  const ids = session.received.filter(({ method }) => method === undefined).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(asked);
}

async function startServer(): Promise<ReturnType<typeof spawnGrove>> {
  const server = spawnGrove(['start', ...args, '--json']);
  const stdout = collect(server.stdout);
  const stderr = collect(server.stderr);
  while (!stdout().includes('\n')) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(stderr());
    await Promise.race([once(server.stdout, 'data'), once(server, 'close')]);
  }
  expect(JSON.parse(stdout())).toMatchObject({ ready: true });
  return server;
}

describe('several clients at once on one vault', () => {
  it('all of them search, whoever owns the vault', async () => {
    const open = await sessions(3);
    await Promise.all(open.map(searchFinds));
    for (const session of open) expectOneAnswerEach(session, 2);
    for (const session of open) await end(session.child);
  });

  it('go on when the owner is killed in the middle of their calls', async () => {
    const [owner, second, third] = await sessions(3);
    if (owner === undefined || second === undefined || third === undefined) throw new Error('no sessions');
    await searchFinds(second);
    const calls = [second, third].flatMap((session) =>
      Array.from({ length: 40 }, () => session.call('query', { query: 'numbered note' })),
    );
    owner.child.kill('SIGKILL');
    for (const answer of await Promise.all(calls))
      expect(answer.structuredContent.hits.length).toBeGreaterThan(0);
    await Promise.all([searchFinds(second), searchFinds(third)]);
    expectOneAnswerEach(second, 43);
    expectOneAnswerEach(third, 42);
    // The second owner goes as well: the last one takes the vault itself.
    await end(second.child, 'SIGKILL');
    await searchFinds(third);
    await end(third.child);
  });

  it('keep their subscriptions over a change of owner', async () => {
    const [owner, second] = await sessions(2);
    if (owner === undefined || second === undefined) throw new Error('no sessions');
    const uri = 'vault://note/Garden/Tomatoes.md';
    await second.request('resources/subscribe', { uri });
    await end(owner.child, 'SIGKILL');
    await searchFinds(second);
    const before = second.received.length;
    scratch.write('Garden/Tomatoes.md', '# Tomatoes\n\nAll eaten.\n');
    await second.until(
      (message) =>
        second.received.indexOf(message) >= before && message.method === 'notifications/resources/updated',
    );
    await end(second.child);
  });

  it('are held by their own limits beside an owner that has none', async () => {
    const owner = new RawSession(args);
    await owner.initialize();
    const limited = new RawSession(args, { GROVE_READ_PATHS: 'Garden' });
    await limited.initialize();
    await searchFinds(owner);
    const found = await limited.call('query', { query: 'xylophone' });
    expect(found.structuredContent.hits).toEqual([]);
    // They hold as well when it comes to own the vault itself.
    await end(owner.child, 'SIGKILL');
    const again = await limited.call('query', { query: 'xylophone' });
    expect(again.structuredContent.hits).toEqual([]);
    await end(limited.child);
  });
});

describe('a client of revision 2026-07-28 beside an owner', () => {
  it('goes on, and its listener too, when the owner is killed', async () => {
    const [owner] = await sessions(1);
    const client = new Client(
      { name: 'modern', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const updates: string[] = [];
    let heard: () => void = () => {};
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
      heard();
    });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, 'stdio', ...args],
        env: { PATH: process.env.PATH ?? '', HOME: NO_HOME },
      }),
    );
    const uri = 'vault://note/Garden/Compost.md';
    await client.listen({ resourceSubscriptions: [uri] });
    if (owner !== undefined) await end(owner.child, 'SIGKILL');
    const found = await client.callTool({ name: 'query', arguments: { query: 'xylophone' } });
    expect(found.structuredContent).toMatchObject({ hits: [{ path: 'Private/Diary.md' }] });
    const before = updates.length;
    const again = new Promise<void>((resolve) => {
      heard = () => {
        if (updates.length > before) resolve();
      };
    });
    scratch.write('Garden/Compost.md', '# Compost\n\nAll used up.\n');
    await again;
    expect(new Set(updates)).toEqual(new Set([uri]));
    await client.close();
  });
});

describe('grove start beside stdio sessions', () => {
  it('takes the vault over while their clients go on, and gives it back when it ends', async () => {
    const [owner, second] = await sessions(2);
    if (owner === undefined || second === undefined) throw new Error('no sessions');
    await searchFinds(owner);
    const server = await startServer();
    await Promise.all([searchFinds(owner), searchFinds(second)]);
    const refused = await runGrove(['start', ...args, '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ code: 'vault_owned' });
    const searched = await runGrove(['search', 'xylophone', ...args, '--json']);
    expect(JSON.parse(searched.stdout).hits[0]).toMatchObject({ path: 'Private/Diary.md' });
    await end(server);
    expect(server.exitCode).toBe(0);
    await Promise.all([searchFinds(owner), searchFinds(second)]);
    expectOneAnswerEach(owner, 4);
    await end(owner.child);
    await end(second.child);
  });

  it('holds everyone who comes through it by its limits', async () => {
    const server = spawnGrove(['start', ...args, '--json'], { env: { GROVE_DENY_PATHS: 'Private' } });
    await once(server.stdout, 'data');
    const session = new RawSession(args);
    await session.initialize();
    const found = await session.call('query', { query: 'xylophone' });
    expect(found.structuredContent.hits).toEqual([]);
    await end(session.child);
    await end(server);
  });
});
