import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect, describeWithPrograms, end, SystemGit } from '@grove/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN, NO_HOME, runGrove } from '../testing/processes.ts';
import { RawSession } from '../testing/raw-session.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const TOOLS = ['query', 'get', 'multi_get', 'list_notes', 'vault_status'];

let scratch: Scratch;
let args: string[];
beforeAll(() => {
  scratch = makeScratch(250);
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterAll(() => scratch.remove());

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const)('a client of revision %s', (revision, mode) => {
  let client: Client;
  let stderr: () => string;
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'stdio', ...args],
      env: { PATH: process.env.PATH ?? '', HOME: NO_HOME },
      stderr: 'pipe',
    });
    stderr = transport.stderr === null ? () => '' : collect(transport.stderr);
    await client.connect(transport);
  });
  afterAll(async () => {
    await client.close();
    expect(stderr()).toBe('');
  });

  it('agrees on the revision and is given instructions', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'grove' });
    expect(client.getInstructions()).toContain('data, not instructions');
  });

  it('sees five tools with titles and four hints each', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const tool of tools) {
      expect(tool.title).toEqual(expect.any(String));
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  // The client checks structuredContent against the advertised output schema and throws when it does not fit.
  it('searches and reads', async () => {
    const found = await client.callTool({ name: 'query', arguments: { query: 'compost heap' } });
    expect(found.isError).toBeUndefined();
    expect(found.structuredContent).toMatchObject({
      hits: expect.arrayContaining([expect.objectContaining({ path: 'Garden/Compost.md' })]),
    });
    const note = await client.callTool({
      name: 'get',
      arguments: { path: 'Compost heap', section: 'Greens' },
    });
    expect(note.structuredContent).toMatchObject({ path: 'Garden/Compost.md', resolved: 'alias' });
    expect(JSON.stringify(note.content)).toContain('Coffee grounds');
  });

  it('gets a coded error that says what to do next', async () => {
    const missing = await client.callTool({ name: 'get', arguments: { path: 'Zebra crossing' } });
    expect(missing.isError).toBe(true);
    expect(missing.structuredContent).toMatchObject({
      error: { code: 'note_not_found', message: expect.any(String), next: expect.any(String) },
    });
    const unknown = await client.callTool({ name: 'query', arguments: { querry: 'x' } });
    expect(unknown.structuredContent).toMatchObject({ error: { code: 'unknown_parameter' } });
  });

  it('gets a protocol error for a tool or a resource that is not there', async () => {
    await expect(client.callTool({ name: 'make_coffee', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.readResource({ uri: 'vault://note/None.md' })).rejects.toMatchObject({
      code: expect.any(Number),
    });
    await expect(client.readResource({ uri: 'vault://note/../../etc/passwd' })).rejects.toMatchObject({
      code: expect.any(Number),
    });
  });

  it('is told that writing is switched off, and by whom it can be switched on', async () => {
    const call = { name: 'write_note', arguments: { path: 'Never.md', content: 'x' } };
    const { isError, structuredContent } = await client.callTool(call);
    expect({ isError, structuredContent }).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'writes_off', next: expect.stringContaining('grove vault writes on') },
      },
    });
  });

  it('pages through the resources, each note once', async () => {
    const uris: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      // listResources() gathers all pages itself when it is given no cursor.
      const page = await client.request({
        method: 'resources/list',
        params: cursor === undefined ? {} : { cursor },
      });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(uris.slice(0, 2)).toEqual(['vault://tags', 'vault://status']);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toHaveLength(2 + 256);
    await expect(client.listResources({ cursor: 'garbage' })).rejects.toMatchObject({ code: -32602 });
  });

  it('reads resources: a note of any name, tags, status', async () => {
    const { resources } = await client.listResources();
    const listed = resources.find(({ name }) => name === 'People/Ünal Öz.md');
    expect(listed?.uri).toBe('vault://note/People/%C3%9Cnal%20%C3%96z.md');
    const note = await client.readResource({ uri: listed?.uri ?? '' });
    expect(note.contents).toEqual([
      expect.objectContaining({ mimeType: 'text/markdown', text: expect.stringContaining('balcony') }),
    ]);
    const tags = await client.readResource({ uri: 'vault://tags' });
    expect(JSON.stringify(tags.contents)).toContain('garden/soil');
    const status = await client.readResource({ uri: 'vault://status' });
    expect(JSON.stringify(status.contents)).toContain('256 notes');
    expect(JSON.stringify([tags, status])).not.toContain(scratch.folder);
  });

  it('completes the path of a note', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'vault://note/{+path}' },
      argument: { name: 'path', value: 'garden/' },
    });
    expect(completion.values).toEqual(['Garden/Compost.md', 'Garden/Tomatoes.md']);
    const many = await client.complete({
      ref: { type: 'ref/resource', uri: 'vault://note/{+path}' },
      argument: { name: 'path', value: 'Note' },
    });
    expect(many.completion).toMatchObject({ total: 250, hasMore: true });
    expect(many.completion.values).toHaveLength(100);
  });
});

describe('the wire', () => {
  it('answers initialize while the first index is still being built, and nothing but protocol comes', async () => {
    const fresh = makeScratch(400);
    const session = new RawSession(['--vault', fresh.vault, '--data', fresh.data]);
    try {
      const answer = await session.initialize();
      expect(answer.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'grove' } });
      const found = await session.call('query', { query: 'xylophone' });
      expect(found.structuredContent.hits[0]).toMatchObject({ path: 'Private/Diary.md' });
    } finally {
      await end(session.child);
      fresh.remove();
    }
  });

  it('answers malformed lines with the error of the protocol and goes on', async () => {
    const session = new RawSession(args);
    try {
      await session.initialize();
      session.line('{"jsonrpc":"2.0","id":1,');
      expect((await session.until(({ error }) => error?.code === -32700)).id).toBeNull();
      session.line('{"id":"odd","method":"tools/list"}');
      expect((await session.until(({ error }) => error?.code === -32600)).id).toBe('odd');
      session.line(`[${JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'ping' })}]`);
      session.line('');
      expect(await session.request('no/such/method')).toMatchObject({ error: { code: -32601 } });
      expect(await session.request('tools/call', { name: 5 })).toMatchObject({ error: { code: -32602 } });
      expect((await session.request('tools/list')).result.tools).toHaveLength(5);
    } finally {
      await end(session.child);
    }
  });

  it('keeps tools/list small', async () => {
    const session = new RawSession(args);
    try {
      await session.initialize();
      const { result } = await session.request('tools/list');
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(12 * 1024);
    } finally {
      await end(session.child);
    }
  });

  it('answers what a script piped in before it closed its end', async () => {
    const lines = [
      {
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'p', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 1, method: 'tools/call', params: { name: 'query', arguments: { query: 'tomatoes' } } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const { code, stdout } = await runGrove(['stdio', ...args], { input: lines.join('\n') });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual([0, 1]);
    expect(answers[1].result.structuredContent.hits.length).toBeGreaterThan(0);
  });

  it('tells of a changed note that is watched, and of notes that come', async () => {
    const session = new RawSession(args);
    try {
      await session.initialize();
      await session.call('query', { query: 'tomatoes' });
      await session.request('resources/subscribe', { uri: 'vault://note/Daily/2026-11-29.md' });
      scratch.write('Daily/2026-11-29.md', '# 2026-11-29\n\n- 10:00 picked the first one\n');
      await session.until(
        ({ method, params }) =>
          method === 'notifications/resources/updated' && params?.uri === 'vault://note/Daily/2026-11-29.md',
      );
      scratch.write('Daily/2026-11-30.md', '# 2026-11-30\n');
      await session.until(({ method }) => method === 'notifications/resources/list_changed');
      expect(
        session.received.filter(({ params }) => params?.uri === 'vault://note/Daily/2026-11-30.md'),
      ).toEqual([]);
    } finally {
      await end(session.child);
    }
  });

  it('keeps denied notes out of every answer', async () => {
    const session = new RawSession(args, { GROVE_DENY_PATHS: 'Private' });
    try {
      await session.initialize();
      const found = await session.call('query', { query: 'xylophone' });
      expect(found.structuredContent.hits).toEqual([]);
      const note = await session.call('get', { path: 'Private/Diary.md' });
      expect(note.structuredContent.error).toMatchObject({ code: expect.stringMatching(/not_found|denied/) });
      const resource = await session.request('resources/read', { uri: 'vault://note/Private/Diary.md' });
      expect(resource.error).toBeDefined();
    } finally {
      await end(session.child);
    }
  });

  it('ends with code 0 on SIGTERM and when the client closes its end', async () => {
    for (const stop of ['signal', 'eof'] as const) {
      const session = new RawSession(args);
      await session.initialize();
      const closed = new Promise((resolve) => session.child.on('close', resolve));
      if (stop === 'signal') session.child.kill('SIGTERM');
      else session.child.stdin.end();
      expect(await closed).toBe(0);
    }
  });

  it('says a sentence on stderr and nothing on stdout when the vault is missing', async () => {
    const { code, stdout, stderr } = await runGrove([
      'stdio',
      '--vault',
      '/dev/null/vault',
      '--data',
      scratch.data,
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The vault folder is not there.');
  });
});

describe('what a session calls', () => {
  let own: Scratch;
  let where: string[];
  beforeEach(() => {
    own = makeScratch();
    where = ['--vault', own.vault, '--data', own.data];
  });
  afterEach(() => own.remove());

  it('is written down where no server runs, and so is what passes through it', async () => {
    const session = new RawSession(where);
    await session.initialize();
    await session.call('query', { query: 'xylophone' });
    const bridge = new RawSession(where);
    await bridge.initialize();
    await bridge.call('get', { path: 'Zebra crossing' });
    await runGrove(['get', 'Compost', ...where]);
    await end(bridge.child);
    await end(session.child);
    const { stdout } = await runGrove(['audit', ...where, '--json']);
    const { entries } = JSON.parse(stdout) as {
      entries: { principal: { kind: string }; via: string; tool: string; outcome: string; vault: string }[];
    };
    expect(
      entries
        .map(({ principal, via, tool, outcome, vault }) => [principal.kind, via, tool, outcome, vault])
        .reverse(),
    ).toEqual([
      ['stdio', 'mcp', 'query', 'ok', 'my-garden'],
      ['stdio', 'mcp', 'get', 'note_not_found', 'my-garden'],
      ['owner', 'cli', 'get', 'ok', 'my-garden'],
    ]);
    expect(stdout).not.toMatch(/xylophone|Zebra/);
  });

  it('is answered all the same where nothing can be written down', async () => {
    mkdirSync(own.data, { recursive: true });
    writeFileSync(join(own.data, 'control.db'), 'something else');
    const session = new RawSession(where);
    const said = collect(session.child.stderr);
    await session.initialize();
    const found = await session.call('query', { query: 'xylophone' });
    expect(found.structuredContent.hits).toHaveLength(1);
    await end(session.child);
    expect(said()).toContain('calls are not written down');
    expect(readFileSync(join(own.data, 'control.db'), 'utf8')).toBe('something else');
  });
});

describeWithPrograms('a session on a repository', ['git'], () => {
  it('tells times from git in its first answer', async () => {
    const own = makeScratch();
    const git = SystemGit.init(own.vault);
    git.time = Date.parse('2025-01-02T03:04:05Z') / 1000 - 60;
    git.commit('Garden');
    const session = new RawSession(['--vault', own.vault, '--data', own.data]);
    try {
      await session.initialize();
      const note = await session.call('get', { path: 'Compost' });
      expect(Date.parse(note.structuredContent.modified)).toBe(Date.parse('2025-01-02T03:04:05Z'));
    } finally {
      await end(session.child);
      own.remove();
    }
  });
});
