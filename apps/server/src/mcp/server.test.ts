import { gardenPrompts, operations } from '@grove/service';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type Tool } from '@modelcontextprotocol/server';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { compileRules, NO_LIMITS } from '../rule-sources.ts';
import { type Garden, openGarden } from '../testing/open-garden.ts';
import { createMcpServer } from './server.ts';
import { sessionContext } from './session-context.ts';

let garden: Garden;
let client: Client;
let tools: Tool[];
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  garden = await openGarden();
  client = await connect(compileRules(NO_LIMITS));
  tools = (await client.listTools()).tools;
  const ajv = new Ajv2020({ strict: false });
  for (const tool of tools) validators.set(tool.name, ajv.compile(tool.outputSchema as object));
});
afterAll(async () => {
  await client.close();
  await garden.close();
});

async function connect(rules: ReturnType<typeof compileRules>): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const context = sessionContext(
    { opened: garden.opened, version: '0.0.0', log: createLog('silent') },
    rules,
  );
  await createMcpServer(context, { era: 'legacy', profile: 'notes', lasting: true }).connect(far);
  const connected = new Client({ name: 'test', version: '1' });
  await connected.connect(near);
  return connected;
}

describe('tools', () => {
  it('are the operations, in their order, with exactly their input schemas', () => {
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    for (const [index, tool] of tools.entries())
      expect(tool.inputSchema).toEqual(operations[index]?.inputSchema);
  });

  it.each([
    ['query', { query: 'compost' }],
    ['query', { query: 'compost', return: 'passages' }],
    ['query', { searches: '[{"type":"regex","query":"gr.ss"}]' }],
    ['query', { query: 'nothing like this is there' }],
    ['query', { searches: [{ type: 'regex', query: '(' }] }],
    ['query', {}],
    ['query', { query: 'x', cursor: 'garbage' }],
    ['get', { path: 'Heap' }],
    ['get', { path: 'Compost', format: 'map', include: 'backlinks' }],
    ['get', { path: 'Broken' }],
    ['get', { path: '../../etc/passwd' }],
    ['get', { path: 'today' }],
    ['get', {}],
    ['multi_get', { paths: 'Compost.md, Nothing.md' }],
    ['multi_get', { paths: '**' }],
    ['list_notes', {}],
    ['list_notes', { of: 'tags' }],
    ['list_notes', { of: 'planets' }],
    ['list_notes', { folders: ['Nowhere'] }],
    ['vault_status', {}],
    ['vault_status', { mode: 'health', path: 'Compost.md' }],
    ['vault_status', { fold: 1 }],
  ])('%s %j answers with text, and with content that fits the advertised schema', async (name, input) => {
    const result = await client.callTool({ name, arguments: input });
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/\S/) }]);
    const validate = validators.get(name);
    expect(validate?.(result.structuredContent), JSON.stringify(validate?.errors)).toBe(true);
    expect(result.isError === true).toBe(
      (result.structuredContent as { error?: unknown } | undefined)?.error !== undefined,
    );
    expect(JSON.stringify(result)).not.toContain(garden.folder);
  });

  it('answer whatever they are sent, within their schema', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const value = fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(text, { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...operations),
        fc.array(value, { minLength: 3, maxLength: 3 }),
        fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
        async (operation, values, picks) => {
          const names = Object.keys(operation.inputSchema.properties as object);
          const input = Object.fromEntries(
            values.map((given, at) => [names[(picks[at] ?? 0) % names.length], given]),
          );
          const result = await client.callTool({ name: operation.name, arguments: input });
          const validate = validators.get(operation.name);
          expect(validate?.(result.structuredContent), JSON.stringify(validate?.errors)).toBe(true);
          expect((result.structuredContent as { error?: { code: string } }).error?.code).not.toBe('internal');
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('prompts', () => {
  it('are made of whatever is typed, or refused with what to do', async () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('Private', 'private/', '/', '..', '../x', '.', '[', '**', '`', '{{', 'today', '#', '^'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...gardenPrompts),
        fc.array(typed, { maxLength: 4 }),
        async (prompt, texts) => {
          const names = Object.keys(prompt.parameters);
          const given = Object.fromEntries(texts.slice(0, names.length).map((text, at) => [names[at], text]));
          const answer = await client
            .getPrompt({ name: prompt.name, arguments: given })
            .catch((error) => error);
          if (answer instanceof Error) {
            expect(answer).toMatchObject({ code: -32_602 });
            return;
          }
          const [{ content }] = answer.messages;
          expect(content.text.isWellFormed()).toBe(true);
          expect(content.text.length).toBeLessThan(4_000);
          expect(JSON.stringify(answer)).not.toContain(garden.folder);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a session with limits', () => {
  it('sees nothing of what its rules deny, by any way in', async () => {
    const limited = await connect(compileRules({ ...NO_LIMITS, denyPaths: ['Private'] }));
    const seen = [
      await limited.listResources(),
      await limited.callTool({ name: 'query', arguments: { query: 'xylophone' } }),
      await limited.callTool({ name: 'list_notes', arguments: {} }),
      await limited.callTool({ name: 'multi_get', arguments: { paths: '**' } }),
      await limited.complete({
        ref: { type: 'ref/resource', uri: 'vault://note/{+path}' },
        argument: { name: 'path', value: 'Pri' },
      }),
      await limited.complete({
        ref: { type: 'ref/prompt', name: 'tend' },
        argument: { name: 'target', value: 'Di' },
      }),
      await limited.getPrompt({ name: 'forage', arguments: { topic: 'xylophone' } }),
      await limited.readResource({ uri: 'vault://status' }),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/Diary|Private|xylophone stays/);
    const denied = limited.readResource({ uri: 'vault://note/Private/Diary.md' });
    const absent = limited.readResource({ uri: 'vault://note/Private/Other.md' });
    const [one, other] = await Promise.all(
      [denied, absent].map((read) => read.catch((error: Error) => error)),
    );
    expect((one as Error).message.replace('Diary', 'Other')).toBe((other as Error).message);
    await limited.close();
  });

  it('cannot go on with the cursor of another session', async () => {
    const page = garden.opened.scope({ kind: 'stdio', id: 'stdio', name: 'stdio' });
    for (let number = 0; number < 150; number += 1) garden.write(`Many/${number}.md`, `${number}`);
    await garden.opened.vault.reconcile();
    expect(page.view.size).toBeGreaterThan(150);
    // listResources() would gather all pages itself.
    const { nextCursor } = await client.request({ method: 'resources/list', params: {} });
    const limited = await connect(compileRules({ ...NO_LIMITS, denyPaths: ['Private'] }));
    await expect(limited.listResources({ cursor: nextCursor ?? '' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.listResources({ cursor: nextCursor ?? '' })).resources.length).toBeGreaterThan(0);
    await limited.close();
  });
});
