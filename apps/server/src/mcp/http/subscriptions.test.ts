import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { EventReader } from '../testing/event-reader.ts';
import { legacy, modern, RawMcp, type RawMessage } from '../testing/raw-mcp.ts';

let garden: ServedGarden;
let url: string;
beforeAll(async () => {
  garden = await serveGarden({ 'Private/Plan.md': 'Plan 1', 'Shed.md': 'Shed 1' });
  url = `${await garden.listen()}/mcp`;
});
afterAll(() => garden.close());

const uri = (path: string): string => `vault://note/${path}`;
const SHED = uri('Shed.md');
const PLAN = uri('Private/Plan.md');
const LATER = uri('Later.md');

/** Listens in one revision to three notes, one of them not there yet, and to the list. */
const WAYS = {
  '2026-07-28': async (mcp: RawMcp) => {
    const { body, headers } = modern('subscriptions/listen', {
      notifications: { resourcesListChanged: true, resourceSubscriptions: [SHED, PLAN, LATER] },
    });
    const events = new EventReader(await mcp.open(body, { headers }));
    const { params } = await events.message(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    );
    expect(params.notifications.resourceSubscriptions).toEqual([SHED, PLAN, LATER]);
    return events;
  },
  '2025-11-25': async (mcp: RawMcp) => {
    const headers = { 'mcp-session-id': await mcp.session() };
    const events = new EventReader(await mcp.open(undefined, { method: 'GET', headers }));
    for (const each of [SHED, PLAN, LATER]) {
      const { messages } = await mcp.send(legacy('resources/subscribe', { uri: each }), { headers });
      expect(messages[0]?.result).toEqual({});
    }
    return events;
  },
};

const updateOf = (wanted: string) => (message: RawMessage) =>
  message.method === 'notifications/resources/updated' && message.params.uri === wanted;
const ofList = ({ method }: RawMessage) => method === 'notifications/resources/list_changed';

describe.each(Object.entries(WAYS))('listening in revision %s', (revision, listen) => {
  it('tells a key what it may see and never of a hidden note, whatever happens to that', async () => {
    const whole = await listen(new RawMcp(url, garden.key()));
    const limited = await listen(new RawMcp(url, garden.key({ denyPaths: ['Private'] })));
    garden.write('Private/Plan.md', `Plan of ${revision}`);
    await garden.opened.vault.reconcile();
    await whole.message(updateOf(PLAN));
    garden.write(`Private/New in ${revision}.md`, 'hidden from the other');
    await garden.opened.vault.reconcile();
    await whole.message(ofList);
    garden.write('Shed.md', `Shed of ${revision}`);
    await garden.opened.vault.reconcile();
    // What came before this would have been told by now: one source tells in order.
    await limited.message(updateOf(SHED));
    await whole.message(updateOf(SHED));
    expect(limited.messages.filter(updateOf(PLAN))).toEqual([]);
    expect(limited.messages.filter(ofList)).toEqual([]);
    expect(JSON.stringify(limited.messages.slice(1))).not.toContain('Private');
  });
});

/** A client of the official library in each revision, and what it is told of these resources. */
async function clientsTold(
  uris: readonly string[],
): Promise<{ heard: Record<'legacy' | 'modern', string[]>; close(): Promise<void> }> {
  const heard: Record<'legacy' | 'modern', string[]> = { legacy: [], modern: [] };
  const requestInit = { headers: { authorization: `Bearer ${garden.key()}` } };
  const clients = await Promise.all(
    (['legacy', 'modern'] as const).map(async (era) => {
      const client = new Client(
        { name: 'test', version: '1' },
        {
          capabilities: { roots: {} },
          versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
        },
      );
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        heard[era].push(params.uri);
      });
      client.setNotificationHandler('notifications/resources/list_changed', () => {
        heard[era].push('list');
      });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      if (era === 'legacy') for (const each of uris) await client.subscribeResource({ uri: each });
      else await client.listen({ resourcesListChanged: true, resourceSubscriptions: [...uris] });
      return client;
    }),
  );
  return {
    heard,
    close: async () => {
      for (const client of clients) await client.close();
    },
  };
}

describe('a note that comes and goes', () => {
  it('is told of to the client library of either revision, as often as it changes', async () => {
    const { heard, close } = await clientsTold([LATER]);
    for (const [count, change] of [
      [2, () => garden.write('Later.md', 'one')],
      [3, () => garden.write('Later.md', 'two')],
      [5, () => rmSync(join(garden.root, 'Later.md'))],
    ] as const) {
      change();
      await garden.opened.vault.reconcile();
      await expect.poll(() => [heard.legacy.length, heard.modern.length]).toEqual([count, count]);
    }
    for (const told of Object.values(heard)) expect(told).toEqual([LATER, 'list', LATER, LATER, 'list']);
    await close();
  });
});

describe('tags and status', () => {
  it('are told of: tags where notes have others, status with every change', async () => {
    const [tags, status] = ['vault://tags', 'vault://status'];
    const { heard, close } = await clientsTold([tags, status]);
    for (const [text, told] of [
      ['of #compost', [tags, status]],
      ['more of #compost', [tags, status, status]],
      ['of #compost and #peat', [tags, status, status, tags, status]],
    ] as const) {
      garden.write('Shed.md', text);
      await garden.opened.vault.reconcile();
      await expect.poll(() => heard).toEqual({ legacy: told, modern: told });
    }
    await close();
  });
});
