import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { initialize, legacy, modern, RawMcp } from '../testing/raw-mcp.ts';

let garden: ServedGarden;
let url: string;
let mcp: RawMcp;
beforeAll(async () => {
  const many = Array.from({ length: 150 }, (_, at): [string, string] => [`Log/Day ${at}.md`, 'Rain.\n']);
  garden = await serveGarden(Object.fromEntries(many));
  url = `${await garden.listen()}/mcp`;
  mcp = new RawMcp(url, garden.key());
});
afterAll(() => garden.close());

const SEVEN = ['forage', 'plant', 'harvest', 'garden', 'tend', 'wander', 'seek'];

async function textOf(name: string, given: object, asked = mcp): Promise<string> {
  const { messages } = await asked.result(legacy('prompts/get', { name, arguments: given }));
  expect(messages).toHaveLength(1);
  expect(messages[0].role).toBe('user');
  return messages[0].content.text;
}

async function completed(name: string, argument: string, value: string): Promise<readonly string[]> {
  const { completion } = await mcp.result(
    legacy('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: argument, value } }),
  );
  return completion.values;
}

describe('prompts over MCP', () => {
  it('are seven, each with a title, a sentence and its arguments', async () => {
    const { prompts } = await mcp.result(legacy('prompts/list'));
    expect(prompts.map(({ name }: { readonly name: string }) => name)).toEqual(SEVEN);
    for (const { title, description } of prompts) {
      expect(title).toMatch(/^[A-Z][a-z]+: /);
      expect(description.length).toBeGreaterThan(20);
    }
    expect(prompts[0].arguments).toEqual([
      { name: 'topic', description: expect.stringContaining('gather'), required: true },
      { name: 'folder', description: expect.any(String), required: false },
      { name: 'tag', description: expect.any(String), required: false },
    ]);
    expect(JSON.stringify(prompts).length).toBeLessThan(4_000);
  });

  it('are the same in either revision, and in a session', async () => {
    const list = (await mcp.result(legacy('prompts/list'))).prompts;
    const { body, headers } = modern('prompts/list');
    const listed = await mcp.result(body, { headers });
    expect(listed).toMatchObject({ prompts: list, ttlMs: 3_600_000, cacheScope: 'private' });
    const session = { 'mcp-session-id': await mcp.session() };
    expect((await mcp.result(legacy('prompts/list'), { headers: session })).prompts).toEqual(list);
    const asked = { name: 'tend', arguments: { target: 'heap' } };
    const own = modern('prompts/get', asked);
    const { messages } = await mcp.result(own.body, { headers: own.headers });
    expect(messages[0].content.text).toBe(await textOf('tend', { target: 'heap' }));
    const inSession = await mcp.result(legacy('prompts/get', asked), { headers: session });
    expect(inSession.messages).toEqual(messages);
    const { capabilities } = await mcp.result(initialize());
    expect(capabilities.prompts).toEqual({ listChanged: false });
  });

  it('are made for the caller, and for what it may do now', async () => {
    const writer = new RawMcp(url, garden.key({ scopes: ['write'] }));
    expect(await textOf('tend', { target: 'heap' })).toContain('`get {"path":"Compost.md"');
    expect(await textOf('tend', { target: 'heap' }, writer)).toContain('Nothing can be written here');
    await garden.opened.writes.switch(true);
    try {
      expect(await textOf('tend', { target: 'heap' }, writer)).toContain('`write_note {"action":"edit"');
      expect(await textOf('tend', { target: 'heap' })).not.toContain('`write_note');
    } finally {
      await garden.opened.writes.switch(false);
    }
    const guest = new RawMcp(url, garden.key({ denyPaths: ['Private', 'Log'] }));
    expect(await textOf('forage', { topic: 'x' })).toContain('Log/ (150), Private/ (1)');
    expect(await textOf('forage', { topic: 'x' }, guest)).not.toMatch(/Log|Private/);
  });

  it('take nothing for an argument that is empty, and none at all where none is needed', async () => {
    expect(await textOf('wander', { from: '' })).toContain('that has been forgotten');
    const { messages } = await mcp.result(legacy('prompts/get', { name: 'garden' }));
    expect(messages[0].content.text).toContain('Look over these notes');
  });

  it.each([
    ['an unknown prompt', { name: 'weed' }, /weed/],
    ['no argument where one is needed', { name: 'forage' }, /topic/],
    ['an empty one', { name: 'forage', arguments: { topic: ' ', tag: '' } }, /topic/],
    ['an unknown one', { name: 'garden', arguments: { dir: 'Log' } }, /dir.*folder/],
    ['a long one', { name: 'seek', arguments: { what: 'x'.repeat(5_000) } }, /at most/],
  ])('refuse %s, with what to do', async (_, params, said) => {
    const { messages } = await mcp.send(legacy('prompts/get', params));
    expect(messages[0]?.error?.code).toBe(-32_602);
    expect(messages[0]?.error?.message).toMatch(said);
  });

  it('complete names of notes, folders, tags and types, at most a hundred', async () => {
    expect(await completed('tend', 'target', 'com')).toEqual(['Compost.md']);
    expect(await completed('tend', 'target', 'priv')).toEqual(['Private', 'Private/Diary.md']);
    expect(await completed('forage', 'folder', 'l')).toEqual(['Log']);
    expect(await completed('forage', 'tag', 'soil')).toEqual(['garden/soil']);
    expect(await completed('forage', 'topic', 'TOM')).toEqual(['Tomatoes']);
    expect(await completed('harvest', 'form', '')).toEqual(['summary', 'outline', 'draft']);
    expect(await completed('plant', 'idea', 'x')).toEqual([]);
    expect(await completed('wander', 'from', 'day')).toHaveLength(100);
  });

  it('are written down like what reads resources', async () => {
    await textOf('garden', {});
    const has = () => garden.control.audit.list({ limit: 5 }).some(({ tool }) => tool === 'prompts/get');
    await expect.poll(has).toBe(true);
  });
});
