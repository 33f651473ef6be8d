import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppOptions } from '../http/options.ts';
import { exchange } from '../testing/raw-socket.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const LISTED: Partial<AppOptions> = {
  publicUrl: 'https://notes.example',
  names: {
    host: '127.0.0.1',
    allowedHosts: ['nas.local', '*.tailnet.ts.net'],
    allowedOrigins: [
      'https://app.example',
      'app://obsidian.md',
      'chrome-extension://abc',
      'vscode-webview://v',
    ],
  },
};
const BEYOND: Partial<AppOptions> = { names: { host: '0.0.0.0', allowedHosts: [], allowedOrigins: [] } };

let listed: ServedGarden;
let beyond: ServedGarden;
let url: string;

beforeAll(async () => {
  listed = await serveGarden({}, LISTED);
  beyond = await serveGarden({}, BEYOND);
  url = await listed.listen();
});
afterAll(async () => {
  await listed.close();
  await beyond.close();
});

/** The status and, for a refusal, the code that a request is answered with. */
async function answer(garden: ServedGarden, headers: Record<string, string>): Promise<string> {
  const { statusCode, body } = await garden.app.inject({ url: '/healthz', headers });
  const { code = '' } = JSON.parse(body);
  return `${statusCode} ${code}`.trim();
}

describe('a host name that an attacker points to this machine', () => {
  it.each([
    'localhost',
    'localhost:8420',
    'LOCALHOST.',
    '127.0.0.1:9',
    '127.8.8.8',
    '2130706433',
    '[::1]:8420',
    'nas.local',
    'NAS.local.:8420',
    'laptop.tailnet.ts.net',
    'notes.example:443',
  ])('is none of %s', async (host) => {
    expect(await answer(listed, { host })).toBe('200');
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    'nas.local.evil.example',
    'xnas.local',
    'tailnet.ts.net',
    'a.b.tailnet.ts.net',
    'a-tailnet.ts.net',
    'xn--nas-local.example',
    '192.168.1.7',
    '0xC0A80107',
    '0.0.0.0',
    '[::]',
    '[fd00::1]',
  ])('is %s', async (host) => {
    expect(await answer(listed, { host })).toBe('403 host_refused');
  });

  it.each(['localhost@evil.example', 'evil.example/localhost', '%6cocalhost', '::1', 'a b', '$(reboot)'])(
    'is no name at all in %j',
    async (host) => {
      expect(await answer(listed, { host })).toBe('400 bad_request');
    },
  );

  it.each(['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host'])(
    'is not made good by %s',
    async (name) => {
      const headers = { host: 'evil.example', [name]: name === 'forwarded' ? 'host=localhost' : 'localhost' };
      expect(await answer(listed, headers)).toBe('403 host_refused');
      expect(await answer(listed, { host: 'localhost', [name]: 'evil.example' })).toBe('200');
    },
  );

  it('is no address, where other machines reach the server', async () => {
    for (const host of ['192.168.1.7:8420', '[fd00::1]', '10.0.0.1', 'localhost'])
      expect(await answer(beyond, { host })).toBe('200');
    expect(await answer(beyond, { host: 'evil.example' })).toBe('403 host_refused');
  });

  it.each([
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', '400 Bad Request'],
    ['no Host in HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', '400 Bad Request'],
    ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', '400 Bad Request'],
    [
      'two Hosts',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n',
      '400 Bad Request',
    ],
    [
      'a foreign absolute target',
      'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      '403 Forbidden',
    ],
    [
      'a foreign Host beside a good absolute target',
      'GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      '403 Forbidden',
    ],
    [
      'an absolute target with a user',
      'GET http://localhost@evil/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      '400 Bad Request',
    ],
    [
      'a good absolute target',
      'GET http://localhost:1/healthz?x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      '200 OK',
    ],
  ])('is looked for in a request with %s', async (_, request, status) => {
    expect(await exchange(url, request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
  });

  it('is refused before any key is asked for, and the refusal names the setting', async () => {
    const headers = { host: 'box.lan:8420' };
    const rest = await listed.app.inject({ url: '/v1/query?q=x', headers });
    expect(rest.statusCode).toBe(403);
    expect(rest.headers['content-type']).toBe('application/problem+json');
    expect(rest.json()).toMatchObject({
      code: 'host_refused',
      hint: expect.stringMatching(/--allowed-hosts box\.lan.*GROVE_ALLOWED_HOSTS=box\.lan/),
    });
    const mcp = await listed.app.inject({ method: 'POST', url: '/mcp', headers, payload: {} });
    expect(mcp.statusCode).toBe(403);
    expect(mcp.json()).toMatchObject({
      jsonrpc: '2.0',
      error: {
        message: expect.stringContaining('GROVE_ALLOWED_HOSTS=box.lan'),
        data: { code: 'host_refused' },
      },
    });
  });
});

describe('a page of somebody else', () => {
  it.each([
    'http://localhost:6274',
    'https://127.0.0.1',
    'http://[::1]:3000',
    'https://nas.local',
    'http://laptop.tailnet.ts.net:8420',
    'https://notes.example',
    'https://app.example',
    'https://APP.example:443',
    'app://obsidian.md',
    'chrome-extension://abc',
    'vscode-webview://v',
  ])('is none of %s', async (origin) => {
    expect(await answer(listed, { host: 'localhost', origin })).toBe('200');
  });

  it.each([
    'null',
    '',
    'https://evil.example',
    'https://app.example:8443',
    'http://app.example',
    'https://app.example.evil.example',
    'https://app.example/',
    'https://evil.example, https://app.example',
    'app://localhost',
    'chrome-extension://abcd',
    'moz-extension://abc',
    'vscode-webview://other',
    'file://',
    'http://192.168.1.7',
    'http://localhost@evil.example',
  ])('is %j', async (origin) => {
    expect(await answer(listed, { host: 'localhost', origin })).toBe('403 origin_refused');
  });

  it('is one on another address, where the server goes by any', async () => {
    const host = '192.168.1.7:8420';
    expect(await answer(beyond, { host, origin: 'http://192.168.1.7:8420' })).toBe('200');
    expect(await answer(beyond, { host, origin: 'http://192.168.1.8:8420' })).toBe('403 origin_refused');
    expect(await answer(beyond, { host, origin: 'http://203.0.113.5' })).toBe('403 origin_refused');
  });

  it('hides behind no second Origin header', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n';
    const both = `${request}Origin: https://evil.example\r\nConnection: close\r\n\r\n`;
    expect(await exchange(url, both)).toContain('origin_refused');
  });

  it('is told which setting would allow it, and nothing that a shell would run', async () => {
    const told = await listed.app.inject({ url: '/healthz', headers: { origin: 'https://evil.example' } });
    expect(told.json().hint).toMatch(/--allowed-origins https:\/\/evil\.example.*GROVE_ALLOWED_ORIGINS=/);
    const odd = await listed.app.inject({ url: '/healthz', headers: { origin: 'https://a;$(reboot)' } });
    expect(odd.json().code).toBe('origin_refused');
    expect(odd.body).not.toContain('reboot');
  });
});
