import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';

const LONG = Array.from({ length: 4_000 }, (_, row) => `Row ${row} of the long list 🌳.`).join('\n');

let garden: ServedGarden;
let url: string;
beforeAll(async () => {
  garden = await serveGarden({ 'Long list.md': `# The long list\n\n${LONG}\n` });
  url = await garden.listen();
});
afterAll(() => garden.close());

const MODES = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;

async function connect(mode: (typeof MODES)[number][1], token = garden.key()): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp?profile=search`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

interface Result {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool, whose answer must fit its schema and stand in the text too, as JSON when it is no error. */
async function call(client: Client, name: string, input: Record<string, unknown>): Promise<Result> {
  const answer = await client.callTool({ name, arguments: input });
  const structured = answer.structuredContent as Record<string, unknown>;
  const { tools } = await client.listTools();
  const validate = new Ajv2020({ strict: false }).compile(
    tools.find((tool) => tool.name === name)?.outputSchema as object,
  );
  expect(validate(structured), JSON.stringify(validate.errors)).toBe(true);
  expect(answer.content).toEqual([{ type: 'text', text: expect.any(String) }]);
  const [{ text }] = answer.content as unknown as [{ text: string }];
  const isError = answer.isError === true;
  expect(isError).toBe('error' in structured);
  if (!isError) expect(JSON.parse(text)).toEqual(structured);
  return { structured, text, isError };
}

describe.each(MODES)('the profile of search and fetch, in revision %s', (_, mode) => {
  it('is exactly two tools that only read, with every hint and plain schemas', async () => {
    const client = await connect(mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch']);
    for (const { title, annotations, inputSchema } of tools) {
      expect(annotations).toEqual({
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(Object.keys(inputSchema.properties ?? {})).toEqual(inputSchema.required);
    }
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(client.getInstructions()).toContain('search');
    await client.close();
  });

  it('finds notes and reads one by its id, each with an address', async () => {
    const client = await connect(mode);
    const { structured } = await call(client, 'search', { query: 'compost' });
    expect(structured).toEqual({
      results: [
        { id: 'Compost.md', title: 'Compost', url: 'obsidian://open?vault=Garden&file=Compost' },
        { id: 'Tomatoes.md', title: 'Tomatoes', url: 'obsidian://open?vault=Garden&file=Tomatoes' },
      ],
    });
    const note = await call(client, 'fetch', { id: 'Compost.md' });
    expect(note.structured).toMatchObject({
      id: 'Compost.md',
      title: 'Compost',
      text: expect.stringMatching(/^---\ntags: \[garden\/soil\][\s\S]*Grass\.\n$/),
      url: 'obsidian://open?vault=Garden&file=Compost',
      metadata: { tags: 'garden/soil', modified: expect.stringMatching(/^\d{4}-/) },
    });
    await client.close();
  });

  it('reads a long note to its end, part by part', async () => {
    const client = await connect(mode);
    let text = '';
    let parts = 0;
    for (let id: unknown = 'Long list.md'; typeof id === 'string'; parts += 1) {
      const { structured } = await call(client, 'fetch', { id });
      expect(structured).toMatchObject({ id: 'Long list.md', title: 'The long list' });
      const part = String(structured.text);
      const next = (structured.metadata as { next_id?: string }).next_id;
      if (next !== undefined) expect(part).toContain(`fetch "${next}"`);
      text += next === undefined ? part : part.slice(0, part.lastIndexOf('\n\n['));
      id = next;
    }
    expect(text).toBe(`# The long list\n\n${LONG}\n`);
    expect(parts).toBeGreaterThan(2);
    await client.close();
  });

  it.each([
    ['search', {}, 'bad_input'],
    ['search', { query: '' }, 'bad_input'],
    ['search', { query: 'compost', limit: 3 }, 'unknown_parameter'],
    ['fetch', { id: 'No such note at all' }, 'note_not_found'],
    ['fetch', { id: '../../etc/passwd' }, 'bad_path'],
    ['fetch', { id: 'today' }, 'note_not_found'],
    ['fetch', { id: 'Compost.md?offset=999999' }, 'bad_input'],
    ['fetch', { path: 'Compost.md' }, 'unknown_parameter'],
  ])('tells what went wrong with %s %j', async (name, input, code) => {
    const client = await connect(mode);
    const { structured, text, isError } = await call(client, name, input);
    expect(isError).toBe(true);
    expect(structured).toEqual({ error: expect.objectContaining({ code }) });
    expect(text).toContain(code);
    await client.close();
  });

  it('shows a limited key nothing of what is hidden', async () => {
    const client = await connect(mode, garden.key({ denyPaths: ['Private'] }));
    const found = await call(client, 'search', { query: 'xylophone' });
    expect(found.structured).toEqual({ results: [] });
    const [hidden, missing] = [
      await call(client, 'fetch', { id: 'Private/Diary.md' }),
      await call(client, 'fetch', { id: 'Private/Other.md' }),
    ];
    expect(hidden?.text.replaceAll('Diary', 'Other')).toBe(missing?.text);
    await client.close();
  });
});

it('search and fetch answer whatever they are sent', async () => {
  const client = await connect('legacy');
  const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(['search', 'query'], ['fetch', 'id']),
      value,
      async ([name, key], given) => {
        const { structured } = await call(client, name ?? '', { [key ?? '']: given });
        expect((structured.error as { code?: string } | undefined)?.code).not.toBe('internal');
      },
    ),
    { numRuns: 60 },
  );
  await client.close();
});
