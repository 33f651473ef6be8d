import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { answerCall, approve } from '@grove/service';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { EventReader } from '../testing/event-reader.ts';
import { legacy, legacyCall, modern, RawMcp, type RawMessage } from '../testing/raw-mcp.ts';

const CONFIRM = { '.grove/vault.yaml': 'deletes: confirm\n', 'Old.md': 'old\n', 'Older.md': 'older\n' };
const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;
const DELETE = { action: 'delete', path: 'Old.md', if_hash: '*' };

let garden: ServedGarden;
let url: string;
beforeEach(async () => {
  garden = await serveGarden(CONFIRM);
  url = `${await garden.listen()}/mcp`;
  await garden.opened.writes.switch(true);
});
afterEach(() => garden.close());

const isThere = (path: string): boolean => existsSync(join(garden.root, path));
const waiting = () => garden.opened.writes.confirmations.waiting();

interface Asked {
  readonly message: string;
  readonly requestedSchema: unknown;
}

/** A client of the library whose person answers so, and what that person was shown. */
async function connect(
  mode: (typeof ERAS)[number][1],
  answer: object | null,
  token = garden.key({ scopes: ['write'] }),
): Promise<{ readonly client: Client; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: answer === null ? {} : { elicitation: { form: {} } } },
  );
  if (answer !== null)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params as Asked);
      return answer as { action: 'accept' };
    });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return { client, asked };
}

async function codeOf(client: Client, input: object = DELETE): Promise<string> {
  const { structuredContent } = await client.callTool({ name: 'write_note', arguments: { ...input } });
  return (structuredContent as { error?: { code: string } }).error?.code ?? 'ok';
}

describe.each(ERAS)('a client of revision %s', (_, mode) => {
  it('asks its person, by name and with what becomes of the notes, and deletes after a yes', async () => {
    const { client, asked } = await connect(mode, { action: 'accept', content: { answer: 'Delete' } });
    const operations = ['Old.md', 'Older.md'].map((path) => ({ ...DELETE, path }));
    const { structuredContent } = await client.callTool({ name: 'write_note', arguments: { operations } });
    expect(structuredContent).toMatchObject({
      results: [{ undo: { action: 'restore', path: 'Old.md' } }, { undo: { path: 'Older.md' } }],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toBe(
      'Delete 2 notes of the vault "Garden"?\n- Old.md\n- Older.md\nThey go to the trash of the vault, and "restore" brings each of them back.',
    );
    expect([isThere('Old.md'), isThere('Older.md'), waiting()]).toEqual([false, false, []]);
    await client.close();
  });

  it.each([
    ['says no', { action: 'decline' }, 'confirmation_declined'],
    [
      'sends the form off with a no',
      { action: 'accept', content: { answer: 'Keep' } },
      'confirmation_declined',
    ],
    ['closes the question', { action: 'cancel' }, 'confirmation_unanswered'],
  ])('keeps the note when its person %s', async (__, answer, code) => {
    const { client } = await connect(mode, answer);
    expect([await codeOf(client), isThere('Old.md'), waiting()]).toEqual([code, true, []]);
    await client.close();
  });

  it('that cannot ask is sent to the owner, whose yes lets the same call pass once', async () => {
    const { client } = await connect(mode, null);
    expect(await codeOf(client)).toBe('confirmation_needed');
    const owner = garden.opened.scope({ kind: 'owner', id: 'owner', name: 'owner' }, undefined, {
      scopes: ['write'],
    });
    const listed = await answerCall(approve, owner, {});
    const [one] = listed.structured.waiting as { id: string; notes: string[] }[];
    expect(one?.notes).toEqual(['Old.md']);
    await answerCall(approve, owner, { id: one?.id });
    expect([await codeOf(client), isThere('Old.md')]).toEqual(['ok', false]);
    await client.close();
  });

  it('is not asked about other calls, nor about what would be refused anyway', async () => {
    const { client, asked } = await connect(mode, { action: 'accept', content: { answer: 'Delete' } });
    expect(await codeOf(client, { action: 'append', path: 'Old.md', content: 'x' })).toBe('ok');
    expect(await codeOf(client, { ...DELETE, dry_run: true })).toBe('ok');
    expect(await codeOf(client, { ...DELETE, if_hash: 'ffffffffffffffff' })).toBe('stale_hash');
    expect(asked).toEqual([]);
    await client.close();
  });

  it('whose key ends while the question is open deletes nothing', async () => {
    const { key, token } = garden.control.keys.create({
      name: 'ending',
      vault: garden.opened.slug,
      scopes: ['write'],
    });
    const { client } = await connect(mode, null, token);
    expect(await codeOf(client)).toBe('confirmation_needed');
    expect(waiting()).toHaveLength(1);
    garden.control.keys.revoke(key.id);
    expect(waiting()).toEqual([]);
    await client.close().catch(() => {});
  });
});

describe('a session of revision 2025-11-25', () => {
  const ofQuestion = ({ method }: RawMessage) => method === 'elicitation/create';

  async function ask(capabilities: object = { elicitation: {} }) {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    const headers = { 'mcp-session-id': await mcp.session(capabilities) };
    const call = legacy(
      'tools/call',
      { name: 'write_note', arguments: DELETE, _meta: { progressToken: 'p' } },
      'call',
    );
    return { mcp, headers, events: new EventReader(await mcp.open(call, { headers })) };
  }

  const ended = async (events: EventReader) => await events.message(({ id }) => id === 'call');

  it('that says only "elicitation: {}" is asked, on the stream of the call', async () => {
    const { mcp, headers, events } = await ask();
    const { id } = await events.message(ofQuestion);
    const answer = { jsonrpc: '2.0', id, result: { action: 'accept', content: { answer: 'Delete' } } };
    expect((await mcp.send(answer, { headers })).status).toBe(202);
    expect((await ended(events)).result.isError).toBeUndefined();
    expect(isThere('Old.md')).toBe(false);
  });

  it('that can only open addresses, or fails to ask, is sent to the owner', async () => {
    const { events } = await ask({ elicitation: { url: {} } });
    expect((await ended(events)).result.structuredContent.error.code).toBe('confirmation_needed');
    const failing = await ask();
    const { id } = await failing.events.message(ofQuestion);
    const error = { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } };
    await failing.mcp.send(error, { headers: failing.headers });
    const { result } = await ended(failing.events);
    expect(result.structuredContent.error.code).toBe('confirmation_needed');
  });

  it('is not asked on when the note changes, or writing is switched off', async () => {
    for (const happen of [
      () => garden.write('Old.md', 'saved meanwhile\n'),
      () => garden.opened.writes.switch(false),
    ]) {
      const { events } = await ask();
      await events.message(ofQuestion);
      await happen();
      await garden.opened.vault.reconcile();
      expect((await ended(events)).result.structuredContent.error.code).toBe('confirmation_void');
      await events.message(({ method }) => method === 'notifications/cancelled');
    }
    expect(isThere('Old.md')).toBe(true);
  });

  it('that goes, or cancels the call, takes the question along', async () => {
    const gone = await ask();
    await gone.events.message(ofQuestion);
    expect(waiting()).toHaveLength(1);
    await gone.mcp.send(undefined, { method: 'DELETE', headers: gone.headers });
    await expect.poll(waiting).toEqual([]);
    const cancelling = await ask();
    await cancelling.events.message(ofQuestion);
    await cancelling.mcp.send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'call' } },
      { headers: cancelling.headers },
    );
    await expect.poll(waiting).toEqual([]);
    const leaving = new AbortController();
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    const headers = { 'mcp-session-id': await mcp.session() };
    const call = legacyCall('write_note', DELETE);
    const events = new EventReader(await mcp.open(call, { headers, signal: leaving.signal }));
    await events.message(ofQuestion);
    leaving.abort();
    await expect.poll(waiting).toEqual([]);
    expect(isThere('Old.md')).toBe(true);
  });

  it('hears, where it wants to, that the call goes on while its person thinks', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { mcp, headers, events } = await ask();
      const { id } = await events.message(ofQuestion);
      vi.advanceTimersByTime(60_000);
      const told = await events.message(({ method }) => method === 'notifications/progress');
      expect(told.params).toMatchObject({ progressToken: 'p', progress: 1 });
      await mcp.send({ jsonrpc: '2.0', id, result: { action: 'decline' } }, { headers });
      expect((await ended(events)).result.structuredContent.error.code).toBe('confirmation_declined');
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not keep the server from ending', async () => {
    const { events } = await ask();
    await events.message(ofQuestion);
    await garden.app.close();
    expect((await ended(events)).result.structuredContent.error.code).toBe('confirmation_void');
  });
});

describe('the state of revision 2026-07-28', () => {
  const capabilities = { elicitation: { form: {} } };
  const call = (params: object = {}, input: object = DELETE) => {
    const { body, headers } = modern('tools/call', { name: 'write_note', arguments: input, ...params });
    const text = JSON.stringify(body).replace(
      '"io.modelcontextprotocol/clientCapabilities":{}',
      `"io.modelcontextprotocol/clientCapabilities":${JSON.stringify(capabilities)}`,
    );
    return [text, { headers: { ...headers, 'content-type': 'application/json' } }] as const;
  };
  const yes = { delete: { action: 'accept', content: { answer: 'Delete' } } };

  it('cannot be read, and is good for its principal and its question alone', async () => {
    const [mine, other] = [1, 2].map(() => new RawMcp(url, garden.key({ scopes: ['write'] }))) as [
      RawMcp,
      RawMcp,
    ];
    const first = await mine.result(...call());
    expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { delete: {} } });
    const { requestState } = first;
    const [{ id } = { id: '' }] = waiting();
    const read = Buffer.from(requestState, 'base64url').toString('latin1');
    expect(id).not.toBe('');
    expect(JSON.stringify(first) + read).not.toContain(id);
    const codeFor = async (mcp: RawMcp, params: object, input?: object) =>
      (await mcp.result(...call(params, input))).structuredContent?.error?.code;
    const forged = Buffer.from(requestState, 'base64url');
    forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
    for (const state of ['', 'garbage', id, forged.toString('base64url')])
      expect(await codeFor(mine, { requestState: state, inputResponses: yes })).toBe('confirmation_void');
    expect(await codeFor(other, { requestState, inputResponses: yes })).toBe('confirmation_void');
    expect(await codeFor(mine, { requestState, inputResponses: yes }, { ...DELETE, path: 'Older.md' })).toBe(
      'confirmation_void',
    );
    // An answer without the state, or the state without an answer, is asked for again.
    for (const params of [{ inputResponses: yes }, { requestState }])
      expect((await mine.result(...call(params))).resultType).toBe('input_required');
    expect([isThere('Old.md'), isThere('Older.md')]).toEqual([true, true]);
    expect(await codeFor(mine, { requestState, inputResponses: yes })).toBeUndefined();
    expect(isThere('Old.md')).toBe(false);
  });

  it('is used once, and void when the note has changed', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    const { requestState } = await mcp.result(...call());
    garden.write('Old.md', 'saved meanwhile\n');
    const params = { requestState, inputResponses: yes };
    const changed = await mcp.result(...call(params));
    expect(changed.structuredContent.error.code).toBe('confirmation_void');
    const { requestState: again } = await mcp.result(...call());
    const done = await mcp.result(...call({ ...params, requestState: again }));
    await mcp.result(...call({}, done.structuredContent.undo));
    const reused = await mcp.result(...call({ ...params, requestState: again }));
    expect(reused.structuredContent.error.code).toBe('confirmation_void');
    expect(isThere('Old.md')).toBe(true);
  });
});

describe('a client that keeps no session', () => {
  it('is sent to the owner in revision 2025-11-25', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    const { structuredContent } = await mcp.result(legacyCall('write_note', DELETE));
    expect(structuredContent.error).toMatchObject({ code: 'confirmation_needed', notes: ['Old.md'] });
  });
});
