import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { collect, describeWithPrograms, end, temporaryFolder } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RestartableServer, restartableServer } from '../testing/restartable-server.ts';
import { CLIENTS, describeWithClients } from './installed-clients.ts';
import { runProgram } from './run-program.ts';

const TOOLS = ['query', 'get', 'multi_get', 'list_notes', 'vault_status'];
/** More notes than two pages of resources hold. */
const MANY = Object.fromEntries(
  Array.from({ length: 210 }, (_, at) => [`Beds/Bed ${at + 1}.md`, `Row ${at + 1}.\n`]),
);

let server: RestartableServer;
beforeAll(async () => {
  server = await restartableServer(MANY);
});
afterAll(() => server.close());

describeWithClients('the Inspector of MCP, on its command line', () => {
  /** Runs one method; what it prints, parsed. */
  async function inspect(method: string, ...rest: readonly string[]): Promise<Record<string, unknown>> {
    const target = ['--cli', `${server.url}/mcp`, '--transport', 'http'];
    const key = ['--header', `Authorization: Bearer ${server.token}`];
    // The Inspector keeps what it is told below the home folder.
    const home = { HOME: temporaryFolder('inspector') };
    const args = [CLIENTS.inspector, ...target, ...key, '--method', method, ...rest];
    const ended = await runProgram(process.execPath, args, home);
    expect(ended.status, ended.stderr).toBe(0);
    return JSON.parse(ended.stdout) as Record<string, unknown>;
  }

  it('lists the tools', async () => {
    const { tools } = (await inspect('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  });

  it('calls query', async () => {
    const call = ['--tool-name', 'query', '--tool-arg', 'query=compost'];
    expect(await inspect('tools/call', ...call)).toMatchObject({
      structuredContent: { hits: [{ path: 'Compost.md' }, expect.anything()] },
    });
  });

  it('lists and reads resources', async () => {
    const { resources } = (await inspect('resources/list')) as { resources: { uri: string }[] };
    expect(resources.map(({ uri }) => uri)).toContain('vault://note/Compost.md');
    const read = await inspect('resources/read', '--uri', 'vault://note/Compost.md');
    expect(read.contents).toMatchObject([{ text: expect.stringContaining('three weeks') }]);
  });
});

describeWithClients('the Python client of MCP', () => {
  it.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
    ['session', '2025-11-25'],
  ])('in mode %s reads, pages, and goes on after a restart of the server', async (mode, protocol) => {
    const script = fileURLToPath(new URL('python-client.py', import.meta.url));
    const child = spawn(CLIENTS.python, [script, `${server.url}/mcp`, mode], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, GROVE_KEY: server.token },
    });
    onTestFinished(() => end(child, 'SIGKILL'));
    const stderr = collect(child.stderr);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const answer = async (): Promise<unknown> => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(stderr());
      return JSON.parse(value);
    };

    const before = (await answer()) as { pages: string[][] };
    const found = { hits: expect.arrayContaining([expect.objectContaining({ path: 'Compost.md' })]) };
    expect(before).toMatchObject({
      protocol,
      tools: TOOLS,
      query: found,
      get: { path: 'Compost.md', content: expect.stringContaining('three weeks') },
      resource: expect.stringContaining('three weeks'),
    });
    expect(before.pages.length).toBeGreaterThan(2);
    const uris = before.pages.flat();
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toEqual(expect.arrayContaining(['vault://note/Beds/Bed%20210.md', 'vault://tags']));

    const closed = once(child, 'close');
    await server.restart();
    child.stdin.write('go on\n');
    expect(await answer()).toMatchObject({ query: found });
    expect((await closed)[0], stderr()).toBe(0);
  });
});

describeWithPrograms('curl', ['curl'], () => {
  const NOTE = '/v1/notes/Compost.md';
  const JSON_BODY = ['-H', 'Content-Type: application/json'];
  const ACCEPT = ['-H', 'Accept: application/json, text/event-stream'];

  /** Sends a request with the key; the status, the headers by their names in lower case, and the body. */
  async function curl(path: string, ...rest: readonly string[]) {
    const args = [
      '-sS',
      '-i',
      '-H',
      `Authorization: Bearer ${server.token}`,
      ...rest,
      `${server.url}${path}`,
    ];
    const ended = await runProgram('curl', args);
    expect(ended.status, ended.stderr).toBe(0);
    const [head = '', body = ''] = ended.stdout.split(/\r\n\r\n([\s\S]*)/, 2);
    const [status = '', ...fields] = head.split('\r\n');
    const headers = new Map(
      fields.map((field) => {
        const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(field) ?? [];
        return [name.toLowerCase(), value] as const;
      }),
    );
    return { status: Number(status.split(' ')[1]), headers, body };
  }

  /** The one message of an answer, which is JSON or an event. */
  function message(body: string): unknown {
    return JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? body);
  }

  const found = { result: { structuredContent: { hits: [{ path: 'Compost.md' }, expect.anything()] } } };
  const params = { name: 'query', arguments: { query: 'compost' } };

  describe('by MCP', () => {
    it('2025-11-25 shakes hands and calls a tool', async () => {
      const clientInfo = { name: 'curl', version: '8' };
      const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const shaken = await curl('/mcp', ...JSON_BODY, ...ACCEPT, ...data('initialize', hello));
      expect(shaken.status).toBe(200);
      expect(message(shaken.body)).toMatchObject({
        result: { protocolVersion: '2025-11-25', serverInfo: { name: 'grove' } },
      });
      const version = ['-H', 'MCP-Protocol-Version: 2025-11-25'];
      const called = await curl('/mcp', ...JSON_BODY, ...ACCEPT, ...version, ...data('tools/call', params));
      expect(called.status).toBe(200);
      expect(message(called.body)).toMatchObject(found);
    });

    it('2026-07-28 calls a tool at once', async () => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const headers = ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: query'];
      const named = headers.flatMap((header) => ['-H', header]);
      const called = await curl('/mcp', ...JSON_BODY, ...named, ...data('tools/call', { ...params, _meta }));
      expect(called.status).toBe(200);
      expect(message(called.body)).toMatchObject(found);
    });

    it('is refused without a key', async () => {
      const { stdout } = await runProgram('curl', ['-sS', '-i', `${server.url}/mcp`]);
      expect(stdout).toMatch(/^HTTP\/1\.1 401 .*\r\n[\s\S]*^www-authenticate: Bearer/im);
    });
  });

  describe('by REST', () => {
    it('gets a note, and is told when it is unchanged', async () => {
      const note = await curl(NOTE);
      expect(note.status).toBe(200);
      expect(JSON.parse(note.body)).toMatchObject({ path: 'Compost.md' });
      const etag = note.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      const again = await curl(NOTE, '-H', `If-None-Match: ${etag}`);
      expect(again).toMatchObject({ status: 304, body: '' });
      expect((await curl(NOTE, '-H', 'If-None-Match: "another"')).status).toBe(200);
    });

    it('gets the Markdown of a note', async () => {
      const note = await curl(NOTE, '-H', 'Accept: text/markdown');
      expect(note.headers.get('content-type')).toMatch(/^text\/markdown/);
      expect(note.body).toContain('Turn it every three weeks.');
    });

    it('posts a query', async () => {
      const answer = await curl('/v1/query', ...JSON_BODY, '-d', JSON.stringify({ query: 'compost' }));
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ hits: [{ path: 'Compost.md' }, expect.anything()] });
    });
  });
});

function data(method: string, params: unknown): readonly string[] {
  return ['-d', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })];
}
