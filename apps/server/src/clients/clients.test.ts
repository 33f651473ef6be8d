import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Connection, serverName } from './connection.ts';
import { CLIENTS, clientOf } from './known-clients.ts';

const connection: Connection = {
  name: 'grove',
  url: 'https://notes.example.org',
  key: 'grove_secret',
  stdio: {
    command: '/opt/my tools/bin/grove',
    args: ['stdio', '--vault', '/home/ann/Ann\'s [Notes], "all" of them'],
    env: {},
  },
};
const other: Connection = { ...connection, name: 'grove-work', key: 'grove_other' };

function text(id: string, ...connections: readonly Connection[]): string {
  return clientOf(id).text(connections.length === 0 ? [connection] : connections);
}

/** The words that a shell makes of a command. */
function shellWords(command: string): string[] {
  return execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);
}

const URL = 'https://notes.example.org/mcp';
const HEADERS = { Authorization: 'Bearer grove_secret' };

describe('the texts for clients', () => {
  it.each([
    ['cursor', { mcpServers: { grove: { url: URL, headers: HEADERS } } }],
    ['vscode', { servers: { grove: { type: 'http', url: URL, headers: HEADERS } } }],
    ['windsurf', { mcpServers: { grove: { serverUrl: URL, headers: HEADERS } } }],
    ['zed', { context_servers: { grove: { url: URL, headers: HEADERS } } }],
    ['gemini-cli', { mcpServers: { grove: { httpUrl: URL, headers: HEADERS } } }],
    ['cline', { mcpServers: { grove: { type: 'streamableHttp', url: URL, headers: HEADERS } } }],
    ['lm-studio', { mcpServers: { grove: { url: URL, headers: HEADERS } } }],
    [
      'opencode',
      { mcp: { servers: { grove: { type: 'remote', url: URL, headers: HEADERS, oauth: false } } } },
    ],
  ])('%s: JSON with the address and the key', (id, expected) => {
    expect(JSON.parse(text(id))).toEqual(expected);
  });

  it('write an object with one text on one line, whatever the text holds', () => {
    const odd = 'a "key" \\ { "x": "y" }';
    const written = text('cursor', { ...connection, key: odd });
    expect(written).toMatch(/^ +"headers": \{ "Authorization": "Bearer .*" \}$/m);
    expect(JSON.parse(written).mcpServers.grove.headers.Authorization).toBe(`Bearer ${odd}`);
  });

  it.each(['claude-desktop', 'jetbrains'])('%s: JSON that starts the command, without a key', (id) => {
    const { command, args } = connection.stdio;
    expect(JSON.parse(text(id))).toEqual({ mcpServers: { grove: { command, args } } });
    const limited = { ...connection, stdio: { ...connection.stdio, env: { GROVE_DENY_PATHS: 'Private' } } };
    expect(JSON.parse(text(id, limited)).mcpServers.grove.env).toEqual({ GROVE_DENY_PATHS: 'Private' });
  });

  it('claude-code: words that a shell takes as they are', () => {
    expect(shellWords(text('claude-code'))).toEqual([
      'claude',
      'mcp',
      'add',
      '--transport',
      'http',
      '--scope',
      'user',
      'grove',
      URL,
      '--header',
      'Authorization: Bearer grove_secret',
    ]);
  });

  it('curl: an address whose question mark the shell leaves alone', () => {
    expect(shellWords(text('curl'))).toEqual([
      'curl',
      '-H',
      'Authorization: Bearer grove_secret',
      'https://notes.example.org/v1/query?q=garden',
    ]);
  });

  it('put several vaults into one text each, with a key of their own', () => {
    for (const client of CLIENTS) {
      const both = client.text([connection, other]);
      const marks = {
        key: ['grove_secret', 'grove_other'],
        command: ['"grove"', '"grove-work"'],
        'sign-in': ['grove: ', 'grove-work: '],
      }[client.by];
      for (const mark of marks)
        expect({ id: client.id, both }).toMatchObject({ both: expect.stringContaining(mark) });
    }
  });
});

describe('install links', () => {
  const linksOf = (id: string, withKey: boolean) =>
    (clientOf(id).links?.(connection, withKey) ?? []).map((link) => link.url);
  const sent = { name: 'grove', url: URL };

  it('of Cursor hold the entry as base64', () => {
    const [link = ''] = linksOf('cursor', false);
    const { protocol, host, pathname, searchParams } = new globalThis.URL(link);
    expect([protocol, host, pathname]).toEqual(['cursor:', 'anysphere.cursor-deeplink', '/mcp/install']);
    expect(searchParams.get('name')).toBe('grove');
    expect(JSON.parse(atob(searchParams.get('config') ?? ''))).toEqual({ url: URL });
  });

  it('of VS Code hold the entry as JSON, with its name or beside it', () => {
    const [own = '', web = ''] = linksOf('vscode', false);
    const [scheme, config = ''] = own.split('?');
    expect(scheme).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(config))).toEqual({ type: 'http', ...sent });
    const { origin, pathname, searchParams } = new globalThis.URL(web);
    expect([origin, pathname]).toEqual(['https://vscode.dev', '/redirect/mcp/install']);
    expect(searchParams.get('name')).toBe('grove');
    expect(JSON.parse(searchParams.get('config') ?? '')).toEqual({ type: 'http', url: URL });
  });

  it.each(['cursor', 'vscode'])('of %s hold the key only when that is asked for', (id) => {
    const plain = (link: string) => [link, decodeURIComponent(link)].concat(configsIn(link)).join(' ');
    for (const link of linksOf(id, false)) expect(plain(link)).not.toContain('grove_secret');
    for (const link of linksOf(id, true)) expect(plain(link)).toContain('Bearer grove_secret');
  });

  it('are of no other client', () => {
    const linked = CLIENTS.filter(({ links }) => links !== undefined).map(({ id }) => id);
    expect(linked).toEqual(['cursor', 'vscode']);
  });
});

/** What a link holds as base64. */
function configsIn(link: string): string[] {
  const config = new globalThis.URL(link).searchParams.get('config') ?? '';
  return config.startsWith('{') ? [config] : [Buffer.from(config, 'base64').toString()];
}

describe('the texts for clients that sign in', () => {
  it.each(['claude-ai', 'chatgpt'])('%s: the address, and steps', (id) => {
    expect(text(id)).toMatch(/^grove: https:\/\/notes\.example\.org\/mcp\n1\. .+\n2\. .+\n3\. /);
    expect(text(id)).not.toContain('grove_secret');
  });
});

describe('clientOf', () => {
  it.each([
    ['vs-code', 'vscode'],
    ['VS Code', 'vscode'],
    ['LMStudio', 'lm-studio'],
  ])('knows %s', (word, id) => {
    expect(clientOf(word).id).toBe(id);
  });

  it.each([
    ['claude', 'claude-code or claude-desktop or claude-ai'],
    ['curser', 'cursor'],
  ])('does not guess what %s is, and names the nearest', (word, id) => {
    expect(() => clientOf(word)).toThrow(`did you mean ${id}?`);
  });

  it('names none that has hardly a letter in common', () => {
    expect(() => clientOf('foo')).toThrow('no client "foo" is known.');
  });
});

describe('serverName', () => {
  it.each([
    ['notes', false, 'grove'],
    ['notes', true, 'grove-notes'],
    ['jürgens-notes', true, 'grove-jurgens-notes'],
    ['a.b', true, 'grove-a-b'],
  ])('%s', (slug, several, name) => {
    expect(serverName(slug, several)).toBe(name);
  });

  it('tells vaults apart whose names have no plain letters', () => {
    const [one, two] = [serverName('日記', true), serverName('仕事', true)];
    expect(one).toMatch(/^grove-[\da-f]{8}$/);
    expect(one).not.toBe(two);
  });
});
