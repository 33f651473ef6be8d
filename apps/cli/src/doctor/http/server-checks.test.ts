import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import type { HttpAddress } from '@grove/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../testing/running-server.ts';
import { makeScratch, type Scratch } from '../../testing/vault-folder.ts';
import type { Finding } from '../finding.ts';
import { foreignHost } from './foreign-host-check.ts';
import { health } from './health-check.ts';
import { oauth } from './oauth-check.ts';
import { lookAtKeys, withPassingKeys } from './passing-keys.ts';
import { proxy as proxyCheck } from './proxy-check.ts';
import { publicAddress } from './public-url-check.ts';
import { rest } from './rest-check.ts';
import type { ServerCheck, ServerSubject } from './subject.ts';

let scratch: Scratch;
let other: Scratch;
let server: RunningServer;
/** A server of the same program with another data folder. */
let stranger: RunningServer;
const closers: (() => void)[] = [];
beforeAll(async () => {
  scratch = makeScratch();
  const args = ['--vault', scratch.vault, '--data'];
  server = await startServer([...args, scratch.data]);
  other = makeScratch();
  stranger = await startServer(['--vault', other.vault, '--data', other.data]);
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(async () => {
  await server.stop();
  await stranger.stop();
  scratch.remove();
  other.remove();
});

/** Listens on a free port; gives the address. */
async function listen(answer: (asked: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const proxy = createServer(answer);
  closers.push(() => proxy.close());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** A proxy in front of the server; `change` is what it does to the headers. */
async function proxy(change: (headers: Record<string, unknown>) => void): Promise<string> {
  return await listen((asked, reply) => {
    const headers = { ...asked.headers };
    change(headers);
    const on = request(`${server.told.local_url}${asked.url}`, { headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    on.end();
  });
}

function subjectOf(url: string, publicUrl: string | null): Omit<ServerSubject, 'keys'> {
  return { url, publicUrl, pid: server.told.pid, proxies: async () => null, version: '0' };
}

async function check(
  one: ServerCheck,
  publicUrl: string | null,
  url = server.told.local_url,
): Promise<Omit<Finding, 'check'>> {
  let finding: Omit<Finding, 'check'> | null = null;
  await withPassingKeys(scratch.data, 'my-garden', async (keys) => {
    finding = await one.run({ ...subjectOf(url, publicUrl), keys });
  });
  if (finding === null) throw new Error('nothing was looked at');
  return finding;
}

describe('the public address', () => {
  it('is well when a proxy passes all of it on', async () => {
    const through = await proxy(() => {});
    expect(await check(publicAddress, through)).toEqual({
      state: 'ok',
      message: `${through} leads here`,
      mend: null,
    });
  });

  it.each([
    [
      'a proxy that drops the key',
      () => proxy((headers) => delete headers.authorization),
      'loses the Authorization header',
    ],
    [
      'a proxy that passes a name of its own',
      () => proxy((headers) => Object.assign(headers, { host: 'backend:8420' })),
      'another Host header',
    ],
    ['another Grove', async () => stranger.told.local_url, 'leads to another Grove'],
    [
      'another program',
      () => listen((_, reply) => reply.end('<h1>It works!</h1>')),
      'something else is there',
    ],
    [
      'a redirect',
      () =>
        listen((_, reply) => reply.writeHead(301, { location: 'https://notes.example.org/healthz' }).end()),
      'redirects to https://notes.example.org/healthz',
    ],
  ])('tells of %s, with what to do', async (_, make, said) => {
    expect(await check(publicAddress, await make())).toEqual({
      state: 'problem',
      message: expect.stringContaining(said),
      mend: expect.stringMatching(/\S/),
    });
  });

  it('tells why nothing answers', async () => {
    const gone = await listen(() => {});
    for (const close of closers.splice(0)) close();
    expect(await check(publicAddress, gone)).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('shows another server no key that sees a note', async () => {
    const sent: string[] = [];
    const spy = await listen((asked, reply) => {
      if (asked.headers.authorization !== undefined) sent.push(asked.headers.authorization);
      reply.setHeader('content-type', 'application/json');
      reply.end(JSON.stringify({ status: 'ok' }));
    });
    let hits: unknown;
    await withPassingKeys(scratch.data, 'my-garden', async (keys) => {
      await publicAddress.run({ ...subjectOf(server.told.url, spy), keys });
      const [key = ''] = sent;
      hits = await (await server.get('/v1/query?q=compost', key.replace('Bearer ', ''))).json();
    });
    expect(sent).toHaveLength(1);
    expect(hits).toMatchObject({ hits: [] });
  });
});

describe('proxies in front of the server', () => {
  const findingOf = async (publicUrl: string | null, proxies: HttpAddress['proxies'] | null) =>
    await proxyCheck.run({
      ...subjectOf(server.told.url, publicUrl),
      keys: null,
      proxies: async () => proxies ?? null,
    });

  it.each([
    [null, { named: false, unnamed: '172.18.0.2' }, 'GROVE_TRUST_PROXY=172.18.0.2'],
    ['https://notes.example.org', { named: true, unnamed: '127.0.0.1' }, 'GROVE_TRUST_PROXY=127.0.0.1'],
    ['https://notes.example.org', { named: false, unnamed: null }, '"loopback"'],
  ])('are told of when they make all callers one: %s, %j', async (publicUrl, proxies, remedy) => {
    expect(await findingOf(publicUrl, proxies)).toEqual({
      state: 'problem',
      message: expect.stringContaining('share one address'),
      mend: expect.stringContaining(remedy),
    });
  });

  it.each([
    [null, { named: false, unnamed: null }, 'ok'],
    ['http://nas.local', { named: false, unnamed: null }, 'ok'],
    ['https://notes.example.org', { named: true, unnamed: null }, 'ok'],
    [null, null, 'note'],
  ])('are no problem: %s, %j', async (publicUrl, proxies, state) => {
    expect(await findingOf(publicUrl, proxies)).toMatchObject({ state });
  });
});

describe('the server itself', () => {
  it('is looked at by REST, and refuses names that are not its own', async () => {
    expect(await check(health, null)).toMatchObject({ state: 'ok' });
    expect(await check(rest, null)).toMatchObject({ state: 'ok', message: expect.stringContaining('304') });
    expect(await check(foreignHost, null)).toMatchObject({ state: 'ok' });
  });

  it('is told of when it answers to every name', async () => {
    const open = await listen((_, reply) => reply.end('{}'));
    expect(await check(foreignHost, null, open)).toMatchObject({ state: 'problem' });
  });

  it('is told of when it does not know the keys of this data folder', async () => {
    expect(await check(rest, null, stranger.told.local_url)).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('401 (key_invalid)'),
      mend: expect.stringContaining('another data folder'),
    });
  });
});

describe('the way in by OAuth', () => {
  it('is gone to its end', async () => {
    expect(await check(oauth, null)).toEqual({
      state: 'ok',
      message: 'a client is let in, calls, renews its token and is let out',
      mend: null,
    });
  });

  it.each([
    [
      'the server speaks for another address',
      'https://notes.example.org',
      null,
      'the metadata of the resource',
    ],
    ['another Grove answers', null, () => stranger.told.local_url, 'the beginning of an authorization'],
    [
      'another program answers',
      null,
      () => listen((_, reply) => reply.end('<h1>It works!</h1>')),
      'the refusal of a call without a token',
    ],
  ])('names the step at which %s', async (_, publicUrl, url, step) => {
    expect(await check(oauth, publicUrl, (await url?.()) ?? server.told.local_url)).toEqual({
      state: 'problem',
      message: expect.stringContaining(`stopped at the step "${step}"`),
      mend: expect.stringContaining('GROVE_LOG_LEVEL=info'),
    });
  });
});

describe('the keys', () => {
  it('are counted without the passing ones', async () => {
    expect(lookAtKeys(scratch.data, 'my-garden')).toMatchObject({ state: 'ok', message: '1 live' });
    expect(lookAtKeys(scratch.data, 'elsewhere')).toMatchObject({ state: 'note' });
    await withPassingKeys(scratch.data, 'my-garden', async (_, finding) => {
      expect(finding).toMatchObject({ message: '1 live' });
    });
  });
});

describe('passing keys', () => {
  it('leave no row, also when a check throws', async () => {
    const failing = withPassingKeys(scratch.data, 'my-garden', async (keys) => {
      expect(keys?.reading).toMatch(/^grove_/);
      throw new Error('a check failed');
    });
    await expect(failing).rejects.toThrow('a check failed');
    const control = openControl({ dataDir: scratch.data, clock: systemClock });
    expect(control.keys.list({ trail: 'any' }).map(({ name }) => name)).toEqual(['first']);
    expect([control.trails.list(), control.clients.list()]).toEqual([[], []]);
    control.close();
  });

  it('are none where nothing can be written, and the finding says so', async () => {
    await withPassingKeys('/dev/null/data', 'my-garden', async (keys, finding) => {
      expect(keys).toBeNull();
      expect(finding).toMatchObject({ state: 'note', message: expect.stringContaining('unchecked') });
    });
  });
});
