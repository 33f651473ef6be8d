import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../http/options.ts';
import { serveGarden } from '../../testing/serve-garden.ts';
import { errors } from '../errors.ts';
import { addressLimits } from './address-limits.ts';

let app: FastifyInstance;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  app = Fastify();
  await app.register(errors, { maxBodyBytes: 1_000 });
  await app.register(addressLimits);
  const limited = { onRequest: app.limitByAddress('sign-ins', 2) };
  app.post('/in', limited, async () => ({ in: true }));
  app.post('/in/too', limited, async () => ({ in: true }));
  app.post('/register', { onRequest: app.limitByAddress('registrations', 1) }, async () => ({ in: true }));
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const post = (url: string, remoteAddress = '192.0.2.1') => app.inject({ method: 'POST', url, remoteAddress });

describe('limitByAddress', () => {
  it('refuses nobody for what was counted before the clock was put back', async () => {
    for (const status of [200, 200, 429]) expect((await post('/in')).statusCode).toBe(status);
    vi.setSystemTime(Date.now() - 86_400_000);
    for (const status of [200, 200, 429]) expect((await post('/in')).statusCode).toBe(status);
  });

  it('refuses what goes beyond the limit, until the minute is over', async () => {
    const first = await post('/in');
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '60',
    });
    vi.advanceTimersByTime(20_000);
    expect((await post('/in')).headers).toMatchObject({
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
    });
    const refused = await post('/in');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '40', 'ratelimit-remaining': '0' });
    expect(refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'More than 2 sign-ins from one address a minute are not taken; nothing of this was done.',
      hint: 'Send it again in 40 seconds.',
      retry_after: 40,
    });
    vi.advanceTimersByTime(39_999);
    expect((await post('/in')).headers['retry-after']).toBe('1');
    vi.advanceTimersByTime(1);
    expect((await post('/in')).statusCode).toBe(200);
  });

  it('counts together what has one name, and apart what has not', async () => {
    await post('/in');
    await post('/in/too');
    expect((await post('/in')).statusCode).toBe(429);
    expect((await post('/in/too')).statusCode).toBe(429);
    expect((await post('/register')).statusCode).toBe(200);
  });

  it('counts by address, all of an IPv6 network as one', async () => {
    for (let count = 0; count < 3; count += 1) await post('/in', '2001:db8::1');
    expect((await post('/in', '2001:db8::ffff')).statusCode).toBe(429);
    expect((await post('/in', '2001:db8:0:1::1')).statusCode).toBe(200);
    expect((await post('/in', '192.0.2.1')).statusCode).toBe(200);
    expect((await post('/in', '::ffff:192.0.2.1')).headers['ratelimit-remaining']).toBe('0');
  });
});

describe('the address of a request', () => {
  const registered = async (
    trustedProxies: readonly string[],
    forwarded: readonly string[],
  ): Promise<number[]> => {
    const garden = await serveGarden(
      {},
      { limits: { ...DEFAULT_LIMITS, maxRegistrations: 1 }, trustedProxies },
    );
    const url = `${await garden.listen()}/oauth/register`;
    const statuses: number[] = [];
    for (const from of forwarded) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
      const body = JSON.stringify({ redirect_uris: ['https://client.example/callback'] });
      statuses.push((await fetch(url, { method: 'POST', headers, body })).status);
    }
    await garden.close();
    return statuses;
  };

  it('is that of its connection, whatever it says', async () => {
    expect(await registered([], ['192.0.2.1', '192.0.2.2'])).toEqual([201, 429]);
    expect(await registered(['10.0.0.0/8'], ['192.0.2.1', '192.0.2.2'])).toEqual([201, 429]);
  });

  it('is what a trusted proxy saw, and not what the proxy was told', async () => {
    expect(await registered(['loopback'], ['192.0.2.1', '192.0.2.2', '192.0.2.1'])).toEqual([201, 201, 429]);
    expect(await registered(['loopback'], ['192.0.2.7, 192.0.2.1', '192.0.2.8, 192.0.2.1'])).toEqual([
      201, 429,
    ]);
  });
});
