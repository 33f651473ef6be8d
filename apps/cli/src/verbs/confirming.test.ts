import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { end } from '@grove/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN, NO_HOME, runGrove } from '../testing/processes.ts';
import { RawSession } from '../testing/raw-session.ts';
import { type RunningServer, startServer } from '../testing/running-server.ts';
import { runAtTerminal } from '../testing/terminal-run.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const COMPOST = 'Garden/Compost.md';
const TOMATOES = 'Garden/Tomatoes.md';

let scratch: Scratch;
let args: string[];
beforeEach(async () => {
  scratch = makeScratch();
  scratch.write('.grove/vault.yaml', 'deletes: confirm\n');
  args = ['--vault', scratch.vault, '--data', scratch.data];
  await runGrove(['vault', 'writes', 'on', ...args]);
});
afterEach(() => scratch.remove());

const isThere = (path: string): boolean => existsSync(join(scratch.vault, path));

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
async function json(words: readonly string[]): Promise<any> {
  return JSON.parse((await runGrove([...words, ...args, '--json'])).stdout);
}

describe('grove delete', () => {
  it.each([false, true])(
    'with a server: %s, deletes with --yes, and without a terminal not otherwise',
    async (served) => {
      const server = served ? await startServer(args) : null;
      try {
        const refused = await json(['delete', COMPOST]);
        expect(refused.error).toMatchObject({ code: 'confirmation_needed', notes: [COMPOST] });
        expect(refused.error.next).toContain('--yes');
        expect(isThere(COMPOST)).toBe(true);
        expect(await json(['delete', COMPOST, '--yes'])).toMatchObject({ action: 'delete', path: COMPOST });
        expect(isThere(COMPOST)).toBe(false);
      } finally {
        await server?.stop();
      }
    },
  );

  it.each([false, true])('with a server: %s, asks at a terminal', async (served) => {
    const server = served ? await startServer(args) : null;
    try {
      for (const line of ['n', '', 'yesterday']) {
        const kept = runAtTerminal(['delete', COMPOST, ...args]);
        await kept.answer('[y/N]', line);
        await expect(kept.done).rejects.toMatchObject({ code: 'confirmation_declined' });
      }
      const left = runAtTerminal(['delete', COMPOST, ...args]);
      left.hangUp();
      await expect(left.done).rejects.toMatchObject({ code: 'confirmation_unanswered' });
      expect(isThere(COMPOST)).toBe(true);
      const gone = runAtTerminal(['delete', COMPOST, ...args]);
      await gone.answer('[y/N]', 'y');
      await gone.done;
      expect(gone.shown()).toContain(`Delete 1 note of the vault "My Garden"?\n- ${COMPOST}\n`);
      expect([isThere(COMPOST), isThere(TOMATOES)]).toEqual([false, true]);
      if (served) expect(await json(['approve'])).toEqual({ waiting: [] });
    } finally {
      await server?.stop();
    }
  });
});

describe('grove approve', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer([...args, '--writes']);
  });
  afterEach(async () => void (await server.stop()));

  async function remove(path: string): Promise<{ readonly status: number; readonly code: string }> {
    const answer = await fetch(`${server.told.local_url}/v1/notes/${path}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}`, 'if-match': '*' },
    });
    return { status: answer.status, code: ((await answer.json()) as { code?: string }).code ?? 'ok' };
  }
  let key: string;
  beforeEach(async () => {
    key = (await json(['keys', 'create', 'laptop', '--scopes', 'write'])).token;
  });

  it('lists what waits, and lets one pass once', async () => {
    expect(await remove(COMPOST)).toEqual({ status: 403, code: 'confirmation_needed' });
    const { waiting } = await json(['approve']);
    expect(waiting).toMatchObject([{ name: 'laptop', notes: [COMPOST], asked: expect.any(String) }]);
    const [{ id }] = waiting;
    const listed = await runGrove(['approve', ...args]);
    expect(listed.stdout).toContain(`${id}: laptop (key:`);
    expect(await json(['approve', id])).toEqual({ waiting: [], approved: id });
    expect(await remove(COMPOST)).toEqual({ status: 200, code: 'ok' });
    expect(isThere(COMPOST)).toBe(false);
    expect((await json(['approve', id])).error.code).toBe('confirmation_unknown');
  });

  it('says no with --deny, which needs to know to what', async () => {
    await remove(COMPOST);
    const [{ id }] = (await json(['approve'])).waiting;
    expect((await runGrove(['approve', '--deny', ...args])).code).toBe(2);
    expect(await json(['approve', id, '--deny'])).toEqual({ waiting: [], denied: id });
    expect(await remove(COMPOST)).toEqual({ status: 403, code: 'confirmation_declined' });
    expect(isThere(COMPOST)).toBe(true);
  });

  it('asks about each at a terminal: yes, no, or later', async () => {
    const diary = 'Private/Diary.md';
    for (const path of [COMPOST, TOMATOES, diary]) await remove(path);
    const asking = runAtTerminal(['approve', ...args]);
    for (const line of ['y', 'n', '']) await asking.answer('Delete?', line);
    await asking.done;
    expect(asking.shown()).toMatch(/Approved: [\s\S]+Denied\./);
    expect((await json(['approve'])).waiting).toMatchObject([{ notes: [diary] }]);
    expect((await remove(COMPOST)).code).toBe('ok');
    expect((await remove(TOMATOES)).code).toBe('confirmation_declined');
    expect((await remove(diary)).code).toBe('confirmation_needed');
  });

  it('forgets what waited with the key that asked, and with the process', async () => {
    await remove(COMPOST);
    await json(['keys', 'revoke', 'laptop']);
    await expect.poll(async () => (await json(['approve'])).waiting, { timeout: 30_000 }).toEqual([]);
    await server.stop();
    const none = await runGrove(['approve', ...args]);
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No Grove process serves')]);
    expect(await json(['approve'])).toEqual({ waiting: [] });
    expect((await json(['approve', 'abc'])).error.next).toContain('No Grove process serves');
  });
});

describe('a stdio session', () => {
  it('asks its person, by itself and through the process that owns the vault', async () => {
    const sessions = [new RawSession(args), new RawSession(args)];
    try {
      for (const [at, session] of sessions.entries()) {
        const path = at === 0 ? COMPOST : TOMATOES;
        await session.request('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: { elicitation: {} },
          clientInfo: { name: 'asking', version: '1' },
        });
        session.notify('notifications/initialized');
        const call = session.call('write_note', { action: 'delete', path, if_hash: '*' });
        const { id, params } = await session.until(({ method }) => method === 'elicitation/create');
        expect(params?.message).toContain(`- ${path}\n`);
        expect((await json(['approve'])).waiting).toMatchObject([{ client: 'asking 1', notes: [path] }]);
        const result = { action: 'accept', content: { answer: 'Delete' } };
        session.line(JSON.stringify({ jsonrpc: '2.0', id, result }));
        expect([(await call).isError, isThere(path)]).toEqual([undefined, false]);
      }
    } finally {
      await Promise.all(sessions.map(({ child }) => end(child)));
    }
  });

  it('ends at once while a question is open, and so does the owner behind it, and nothing is deleted', async () => {
    const sessions: RawSession[] = [];
    for (const path of [COMPOST, TOMATOES]) {
      const session = new RawSession(args);
      sessions.push(session);
      await session.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'leaving', version: '1' },
      });
      session.notify('notifications/initialized');
      session.call('write_note', { action: 'delete', path, if_hash: '*' }).catch(() => {});
      await session.until(({ method }) => method === 'elicitation/create');
    }
    const [owner, beside] = sessions.map(({ child }) => child);
    if (beside !== undefined) await end(beside);
    await expect.poll(async () => (await json(['approve'])).waiting.length, { timeout: 30_000 }).toBe(1);
    if (owner !== undefined) await end(owner);
    expect([owner?.exitCode, beside?.exitCode]).toEqual([0, 0]);
    expect([isThere(COMPOST), isThere(TOMATOES)]).toEqual([true, true]);
  });

  it('of revision 2026-07-28 asks with its result, beside the process that owns the vault too', async () => {
    const owner = new RawSession(args);
    const client = new Client(
      { name: 'modern', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
    );
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { answer: asked.length === 1 ? 'Keep' : 'Delete' } };
    });
    try {
      await owner.initialize();
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [MAIN, 'stdio', ...args],
          env: { PATH: process.env.PATH ?? '', HOME: NO_HOME },
        }),
      );
      const call = { name: 'write_note', arguments: { action: 'delete', path: COMPOST, if_hash: '*' } };
      const kept = await client.callTool(call);
      expect(kept.structuredContent).toMatchObject({ error: { code: 'confirmation_declined' } });
      expect(isThere(COMPOST)).toBe(true);
      const gone = await client.callTool(call);
      expect([gone.isError, isThere(COMPOST)]).toEqual([undefined, false]);
      expect(asked).toEqual(Array(2).fill(expect.stringContaining(`- ${COMPOST}`)));
    } finally {
      await client.close();
      await end(owner.child);
    }
  });
});
