import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { oauthGarden } from '../testing/oauth-garden.ts';
import { TestClient } from '../testing/test-client.ts';
import { documentFetch, mayFetch } from './metadata-documents.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** A server of this machine that must not be reached. */
async function innerServer(): Promise<{ readonly port: number; readonly reached: string[] }> {
  const reached: string[] = [];
  const server: Server = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('{"inner": true}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: () => server.close() });
  return { port: (server.address() as AddressInfo).port, reached };
}

it.each([
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://[::ffff:127.0.0.1]/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://0x7f000001/client.json',
  'https://2130706433/client.json',
  'https://localhost/client.json',
  'https://localhost./client.json',
  'https://router/client.json',
  'https://printer.local/client.json',
  'https://notes.internal/client.json',
  'https://x.localhost/client.json',
])('fetches nothing from %s', (address) => {
  expect(mayFetch(address)).toBe(false);
});

it('fetches from names of others', () => {
  expect(mayFetch('https://claude.ai/oauth/claude-code-client-metadata')).toBe(true);
});

it('fetches nothing from a name that leads to this machine', async () => {
  const { port, reached } = await innerServer();
  // The name is public; what it resolves to is not.
  const garden = await oauthGarden(
    {},
    { fetchDocument: async (_, init) => await fetch(`http://127.0.0.1:${port}/inner`, init) },
  );
  opened.push(garden);
  const client = new TestClient(garden, 'https://rebound.example/client.json', 'https://rebound.example/cb');
  const answer = await fetch(client.authorizeUrl(), { redirect: 'manual' });
  expect(answer.status).toBe(400);
  expect(reached).toEqual([]);
});

it('fetches nothing where the guard is missing', async () => {
  const { port, reached } = await innerServer();
  await expect(documentFetch()(`http://127.0.0.1:${port}/`, {})).rejects.toThrow('guard');
  expect(reached).toEqual([]);
});

it('reads no more of a document than a document has', async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const read = documentFetch(async () => new Response(endless));
  await expect(read('https://a.example/client.json', {})).rejects.toThrow('too large');
  expect(isCancelled).toBe(true);
});
