import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { passedOn } from './passed-on.ts';

const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };

/** What is told of proxies after one request. */
async function after(
  remoteAddress: string,
  headers: Readonly<Record<string, string>>,
  trustProxy: string[] | false = false,
): Promise<string | null> {
  const app = Fastify({ trustProxy });
  onTestFinished(() => app.close());
  await app.register(passedOn);
  app.get('/', async () => '');
  await app.inject({ url: '/', remoteAddress, headers });
  return app.unnamedProxy();
}

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['::ffff:172.18.0.5', '172.18.0.5'],
  ['192.168.1.2', '192.168.1.2'],
  ['fd00::2', 'fd00::2'],
  // A stranger's word is no proxy.
  ['198.51.100.7', null],
  ['2001:db8::7', null],
])('notices that %s passed a request on', async (peer, seen) => {
  expect(await after(peer, FORWARDED)).toBe(seen);
});

it.each([
  ['is named', FORWARDED, ['loopback']],
  ['is named, and passed on what comes from this machine', { 'x-forwarded-for': '127.0.0.1' }, ['loopback']],
  ['says nothing', {}, false as const],
  ['says nothing of where it came from', { 'x-forwarded-for': '' }, false as const],
])('notices none that %s', async (_, headers, trusted) => {
  expect(await after('127.0.0.1', headers, trusted)).toBeNull();
});

it('notices another one than those that are named', async () => {
  expect(await after('127.0.0.1', FORWARDED, ['172.16.0.0/12'])).toBe('127.0.0.1');
});
