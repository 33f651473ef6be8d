import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CATALOGUE } from '@grove/core';
import { end } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove, spawnGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
beforeEach(() => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterEach(() => scratch.remove());

async function refusal(more: readonly string[], env: Record<string, string> = {}): Promise<{ code: string }> {
  const { code, stdout, stderr } = await runGrove(['start', ...args, '--json', ...more], { env });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  return JSON.parse(stdout).error;
}

describe('grove start over HTTP', () => {
  it('makes one key on the first start and none later; what it prints opens MCP and REST', async () => {
    const first = await startServer(args);
    const { told } = first;
    expect(told).toMatchObject({
      url: `http://127.0.0.1:${told.port}`,
      mcp_url: `http://127.0.0.1:${told.port}/mcp`,
      key: expect.stringMatching(/^grove_[\w-]{43}$/),
    });
    const found = await first.get('/v1/query?q=xylophone');
    expect(await found.json()).toMatchObject({ hits: [{ path: 'Private/Diary.md' }] });
    expect((await first.get('/v1/query?q=xylophone', 'grove_not-a-key')).status).toBe(401);
    expect(await first.stop()).toBe(0);

    const second = await startServer(args);
    expect(second.told.key).toBeUndefined();
    expect((await second.get('/v1/query?q=xylophone', told.key)).status).toBe(200);
    expect(await second.stop()).toBe(0);
    const listed = await runGrove(['keys', 'list', ...args, '--json']);
    expect(JSON.parse(listed.stdout).keys).toMatchObject([
      { name: 'first', scopes: ['read', 'append', 'write'], state: 'live' },
    ]);
  });

  it('opens each of several vaults with a key of its own', async () => {
    const other = makeScratch();
    other.write('Only here.md', '# Only here\n\nquokka\n');
    const server = await startServer([...args, '--vault', other.vault]);
    const [one, two] = server.told.vaults;
    expect(one?.key).not.toBe(two?.key);
    const hits = async (key: string | undefined): Promise<number> =>
      ((await (await server.get('/v1/query?q=quokka', key)).json()) as { hits: unknown[] }).hits.length;
    expect([await hits(one?.key), await hits(two?.key)]).toEqual([0, 1]);
    expect(await server.stop()).toBe(0);
    other.remove();
  });

  it('lets a flag win over its variable, and answers to the names it was given', async () => {
    const server = await startServer([...args, '--public-url', 'https://notes.example.org/'], {
      GROVE_PUBLIC_URL: 'https://other.example.org',
      GROVE_ALLOWED_HOSTS: 'nas.local',
    });
    expect(server.told).toMatchObject({
      url: 'https://notes.example.org',
      mcp_url: 'https://notes.example.org/mcp',
      local_url: `http://127.0.0.1:${server.told.port}`,
    });
    const { stdout } = await runGrove(['connect', 'cursor', ...args]);
    expect(stdout).toContain('"url": "https://notes.example.org/mcp"');
    await server.stop();
  });

  it('warns of an address for others at which what is sent can be read', async () => {
    const server = await startServer([...args, '--public-url', 'http://nas.local:8420']);
    expect(server.complaints()).toContain(
      'http://nas.local:8420 is an address without TLS: keys and the passphrase',
    );
    await server.stop();
    const open = await startServer([...args, '--host', '0.0.0.0']);
    expect(open.complaints()).toContain('Other machines reach this server without TLS');
    await open.stop();
    const proxied = await startServer([...args, '--host', '0.0.0.0', '--public-url', 'https://a.example']);
    expect(proxied.complaints()).toBe('');
    await proxied.stop();
    const local = await startServer([...args, '--public-url', 'http://localhost:8420']);
    expect(local.complaints()).toBe('');
    await local.stop();
  });

  it('lets nobody sign in at an address for others without TLS, and keys in', async () => {
    const server = await startServer([...args, '--public-url', 'http://nas.local:8420']);
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize?client_id=a',
    ]) {
      const answer = await server.get(path);
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('oauth_needs_https'),
      ]);
    }
    const challenge = (await fetch(`${server.told.local_url}/mcp`, { method: 'POST' })).headers;
    expect(challenge.get('www-authenticate')).toBe('Bearer realm="grove"');
    expect(
      (await server.get('/v1/notes', (await runGrove(['keys', 'create', 'script', ...args])).stdout.trim()))
        .status,
    ).toBe(200);
    await server.stop();
  });

  it('refuses a place to sign in where nobody can', async () => {
    const { code, stderr } = await runGrove(['start', ...args, '--host', '192.0.2.1'], {
      env: { GROVE_GITHUB_CLIENT_ID: 'a', GROVE_GITHUB_CLIENT_SECRET: 'b' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'GROVE_GITHUB_CLIENT_ID is for signing in, which nobody does at http://192.0.2.1:0',
    );
    expect(stderr).toContain('--public-url https://');
  });

  it('ends in order while a client keeps its connection open', async () => {
    const server = await startServer(args);
    await server.get('/healthz');
    const listening = fetch(server.told.mcp_url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.told.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourcesListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    const response = await listening;
    expect(response.status).toBe(200);
    expect(await server.stop()).toBe(0);
    // The stream ends, it is not cut.
    expect(await response.text()).toContain('acknowledged');
  });
});

describe('grove start that cannot listen', () => {
  it('says that the port is taken before it touches the vault', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await runGrove(['start', ...args, '--port', String(port)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken by another program\.\n.*--port.*\n$/);
    expect(existsSync(join(scratch.data, 'vaults'))).toBe(false);
    other.close();
  });

  it('names the Grove server that holds the port, for its own vault and for another', async () => {
    const server = await startServer(args);
    const port = ['--port', String(server.told.port)];
    expect(await refusal(port)).toMatchObject({
      code: 'vault_owned',
      next: expect.stringContaining(`kill ${server.told.pid}`),
    });
    const other = makeScratch();
    const { stdout } = await runGrove([
      'start',
      '--vault',
      other.vault,
      '--data',
      scratch.data,
      '--json',
      ...port,
    ]);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'port_taken',
      next: expect.stringContaining('The Grove server of my-garden'),
    });
    await server.stop();
    other.remove();
  });

  it('names the Grove server that owns the vault, whatever port and data folder the second one has', async () => {
    execFileSync('git', ['init', '--quiet', scratch.vault]);
    const server = await startServer(args);
    for (const data of [scratch.data, join(scratch.folder, 'other data')])
      expect(await refusal(['--data', data])).toMatchObject({
        code: 'vault_owned',
        message: expect.stringContaining(`pid ${server.told.pid}`),
        next: expect.stringContaining(`kill ${server.told.pid}`),
      });
    await server.stop();
  });

  it('is refused beyond this machine when every key was revoked, and makes the first key there', async () => {
    await runGrove(['keys', 'create', 'phone', ...args]);
    await runGrove(['keys', 'revoke', 'phone', ...args]);
    expect(await refusal(['--host', '0.0.0.0'])).toMatchObject({ code: 'key_none' });
    const fresh = makeScratch();
    const server = await startServer(['--vault', fresh.vault, '--data', fresh.data, '--host', '0.0.0.0']);
    expect(server.told.key).toBeDefined();
    await server.stop();
    fresh.remove();
  });

  it.each([
    [['--port', 'http'], '--port'],
    [['--host', 'a b'], '--host'],
    [['--public-url', 'https://example.org/notes'], '--public-url'],
    [['--allowed-hosts', '*'], 'GROVE_ALLOWED_HOSTS'],
    [['--allowed-origins', 'app.example'], 'GROVE_ALLOWED_ORIGINS'],
  ])('refuses %j by its name', async (flags, name) => {
    expect(await refusal(flags)).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining(name),
    });
  });

  it('keeps its hands off a file of keys that is damaged', async () => {
    await runGrove(['keys', 'create', 'phone', ...args]);
    const file = join(scratch.data, 'control.db');
    writeFileSync(file, 'not a database, and longer than the header of one: '.repeat(20));
    const before = readFileSync(file);
    expect(await refusal([])).toMatchObject({ code: 'control_damaged' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('waits for a file of keys that another program holds, and then says so', async () => {
    await runGrove(['keys', 'create', 'phone', ...args]);
    const holder = new DatabaseSync(join(scratch.data, 'control.db'));
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const { code, stdout, stderr } = await runGrove(['start', ...args]);
    holder.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n[^\n]+\n$/);
    expect(stderr).toContain(CATALOGUE.control_locked.message);
  });

  it('says that the data folder cannot be written', async () => {
    const { code, stderr } = await runGrove(['start', '--vault', scratch.vault, '--data', '/dev/null/data']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The data folder cannot be written: .*\n.*--data DIR.*\n$/);
  });
});

describe('grove start for people', () => {
  it('shows each client what to paste, with the key, the first time, and how to see it again later', async () => {
    const shown: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const child = spawnGrove(['start', ...args]);
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      while (!text.includes('Serving.')) await new Promise((resolve) => child.stdout.once('data', resolve));
      await end(child);
      shown.push(text);
    }
    const [first = '', later = ''] = shown;
    const key = /grove_[\w-]{43}/.exec(first)?.[0] ?? 'none';
    // Claude Code, Cursor, VS Code and curl; Claude Desktop starts a command.
    expect(first.split(key)).toHaveLength(5);
    expect(first).toContain('claude mcp add --transport http --scope user grove http://127.0.0.1:');
    expect(first).toContain('shown this once');
    expect(later).not.toMatch(/grove_[\w-]{43}/);
    expect(later).toMatch(/^Connect a client: .*grove'? connect CLIENT \(claude-code, /m);
    expect(later).toContain('--new-key');
    expect(later.split('\n').length).toBeLessThan(13);
  });
});
