import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../http/options.ts';
import { McpSession } from './session.ts';
import { Sessions } from './sessions.ts';

it('ended sessions are remembered, but not without bound: the oldest is forgotten first', () => {
  const clock = { now: () => 0 };
  const sessions = new Sessions({ clock, limits: DEFAULT_LIMITS });
  const owner = { keyId: 'k', holder: 'k', credential: 'c', site: {} };
  const server = new McpServer({ name: 'test', version: '1' });
  const ids = Array.from({ length: 4_100 }, () => {
    const session = new McpSession(owner, server, clock, () => {});
    sessions.add(session);
    sessions.end(session);
    return session.id;
  });
  const found = ids.map((id) => sessions.find(id, owner));
  expect(found.slice(0, 4)).toEqual([null, null, null, null]);
  expect(found.slice(4).every((state) => state === 'ended')).toBe(true);
  expect(sessions.count).toBe(0);
  sessions.close();
});
