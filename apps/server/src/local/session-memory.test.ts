import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type Frame, SessionMemory } from './session-memory.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

function frame(message: Record<string, unknown>): Frame {
  const whole = { jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage;
  return { message: whole, line: JSON.stringify(whole) };
}

const answered = (id: string | number, result: unknown = {}): JSONRPCMessage => frame({ id, result }).message;

function started(): SessionMemory {
  const memory = new SessionMemory();
  memory.fromClient(frame({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }));
  memory.fromServer(answered(0));
  memory.fromClient(frame({ method: 'notifications/initialized' }));
  return memory;
}

const methods = (frames: readonly Frame[]): unknown[] =>
  frames.map(({ message }) => ('method' in message ? message.method : null));

describe('SessionMemory', () => {
  it('replays the handshake under an id of its own and swallows the answer once', () => {
    const memory = started();
    const handshake = memory.replayHandshake();
    expect(handshake?.frame.message).toMatchObject({
      method: 'initialize',
      id: handshake?.id,
      params: { protocolVersion: '2025-11-25' },
    });
    expect(memory.fromServer(answered(handshake?.id ?? 'none'))).toBe(false);
    expect(methods(memory.replayRest())).toEqual(['notifications/initialized']);
  });

  it('sends an initialize without an answer again as it was', () => {
    const memory = new SessionMemory();
    memory.fromClient(frame({ id: 0, method: 'initialize', params: {} }));
    memory.fromClient(frame({ method: 'notifications/initialized' }));
    memory.fromClient(frame({ id: 1, method: 'tools/list' }));
    expect(memory.replayHandshake()).toBeNull();
    expect(methods(memory.replayRest())).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
  });

  it('keeps the requests without an answer, in order, and forgets answered and cancelled ones', () => {
    const memory = started();
    for (const id of [1, '1', 2, 3]) memory.fromClient(frame({ id, method: 'tools/call', params: {} }));
    expect(memory.fromServer(answered(1))).toBe(true);
    memory.fromClient(frame({ method: 'notifications/cancelled', params: { requestId: 2 } }));
    expect(memory.waiting().map(({ id }) => id)).toEqual(['1', 3]);
  });

  it('watches again what was watched and answered, and tells of changes missed meanwhile', () => {
    const memory = started();
    const watch = (id: number, uri: string): void =>
      memory.fromClient(frame({ id, method: 'resources/subscribe', params: { uri } }));
    watch(1, 'vault://note/a.md');
    memory.fromServer(answered(1));
    watch(2, 'vault://note/b.md');
    memory.fromServer(answered(2));
    memory.fromClient(
      frame({ id: 3, method: 'resources/unsubscribe', params: { uri: 'vault://note/a.md' } }),
    );
    memory.fromServer(answered(3));
    const [, again, ...rest] = memory.replayRest();
    expect(rest).toEqual([]);
    expect(again?.message).toMatchObject({
      method: 'resources/subscribe',
      params: { uri: 'vault://note/b.md' },
    });
    const id = again !== undefined && 'id' in again.message ? again.message.id : undefined;
    expect(memory.fromServer(answered(id ?? 'none'))).toBe(false);
    expect(memory.missedUpdates().map((line) => JSON.parse(line).params.uri)).toEqual(['vault://note/b.md']);
  });

  it('keeps a listener open over owners, with one acknowledgement and without the end that an owner sends', () => {
    const memory = new SessionMemory();
    const params = { notifications: { resourceSubscriptions: ['vault://note/a.md'] } };
    memory.fromClient(frame({ id: 9, method: 'subscriptions/listen', params }));
    const acknowledgement = frame({
      method: 'notifications/subscriptions/acknowledged',
      params: { ...params, _meta: { [SUBSCRIPTION]: 9 } },
    }).message;
    expect(memory.fromServer(acknowledgement)).toBe(true);
    expect(memory.fromServer(answered(9, { resultType: 'complete' }))).toBe(false);
    expect(methods(memory.replayRest())).toEqual(['subscriptions/listen']);
    expect(memory.fromServer(acknowledgement)).toBe(false);
    expect(memory.waiting()).toEqual([]);
    expect(JSON.parse(memory.missedUpdates()[0] ?? '')).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'vault://note/a.md', _meta: { [SUBSCRIPTION]: 9 } },
    });
  });

  it('ends a listener that was refused or cancelled', () => {
    const memory = new SessionMemory();
    memory.fromClient(frame({ id: 1, method: 'subscriptions/listen', params: {} }));
    expect(memory.fromServer(frame({ id: 1, error: { code: -32602, message: 'x' } }).message)).toBe(true);
    memory.fromClient(frame({ id: 2, method: 'subscriptions/listen', params: {} }));
    memory.fromClient(frame({ method: 'notifications/cancelled', params: { requestId: 2 } }));
    expect(memory.replayRest()).toEqual([]);
  });
});
