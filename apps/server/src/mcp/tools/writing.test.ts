import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms } from '@grove/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { EventReader } from '../testing/event-reader.ts';
import { initialize, legacy, legacyCall, modern, RawMcp, type RawMessage } from '../testing/raw-mcp.ts';
import { clientName } from './client-name.ts';

let garden: ServedGarden;
let url: string;
beforeAll(async () => {
  garden = await serveGarden();
  url = `${await garden.listen()}/mcp`;
});
afterAll(() => garden.close());
beforeEach(() => garden.opened.writes.switch(true));
afterEach(() => garden.opened.writes.switch(false));

const READING = ['query', 'get', 'multi_get', 'list_notes', 'vault_status'];
const ALL = ['query', 'get', 'multi_get', 'write_note', 'list_notes', 'vault_status'];

async function namesOf(mcp: RawMcp): Promise<string[]> {
  const { tools } = await mcp.result(legacy('tools/list'));
  return tools.map(({ name }: { readonly name: string }) => name);
}

async function actionsOf(mcp: RawMcp): Promise<string[]> {
  const { tools } = await mcp.result(legacy('tools/list'));
  const tool = tools.find(({ name }: { readonly name: string }) => name === 'write_note');
  return tool.inputSchema.properties.action.enum;
}

const onDisk = (path: string): string => readFileSync(join(garden.root, path), 'utf8');
const ofTools = ({ method }: RawMessage) => method === 'notifications/tools/list_changed';

describe('which tools a key is shown', () => {
  it('depends on its scopes and on the switch', async () => {
    const [reader, appender, writer] = [['read'], ['append'], ['write']].map(
      (scopes) => new RawMcp(url, garden.key({ scopes: scopes as ['read'] })),
    ) as [RawMcp, RawMcp, RawMcp];
    expect(await namesOf(reader)).toEqual(READING);
    expect(await namesOf(appender)).toEqual(['write_note']);
    expect(await namesOf(writer)).toEqual(ALL);
    expect(await actionsOf(appender)).not.toContain('edit');
    expect(await actionsOf(writer)).toContain('edit');
    await garden.opened.writes.switch(false);
    expect(await namesOf(reader)).toEqual(READING);
    expect(await namesOf(appender)).toEqual([]);
    expect(await namesOf(writer)).toEqual(READING);
  });

  it('tells write_note from what only reads, by its hints', async () => {
    const { tools } = await new RawMcp(url, garden.key({ scopes: ['write'] })).result(legacy('tools/list'));
    for (const { name, title, annotations } of tools)
      expect(annotations).toEqual({
        title,
        readOnlyHint: name !== 'write_note',
        destructiveHint: name === 'write_note',
        idempotentHint: name !== 'write_note',
        openWorldHint: false,
      });
  });

  it('says why to whoever kept the list from before the switch', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    await garden.opened.writes.switch(false);
    const call = legacyCall('write_note', { path: 'Never.md', content: 'x' });
    const { isError, structuredContent } = await mcp.result(call);
    expect({ isError, code: structuredContent.error.code }).toEqual({ isError: true, code: 'writes_off' });
  });
});

describe('a key that may add and not read', () => {
  it('is let in, adds, and is told nothing of what is there', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['append'] }));
    const { capabilities, instructions } = await mcp.result(initialize());
    expect(Object.keys(capabilities)).toEqual(['tools']);
    expect(instructions).not.toContain('Garden');
    const added = await mcp.result(
      legacyCall('write_note', { action: 'append', path: 'Private/Diary.md', content: 'Added unseen.' }),
    );
    expect(added.isError).toBeUndefined();
    expect(onDisk('Private/Diary.md')).toBe('# Diary\n\nThe xylophone stays secret.\n\nAdded unseen.\n');
    expect(JSON.stringify(added)).not.toContain('xylophone');
  });

  it.each([
    ['a tool that reads', legacyCall('get', { path: 'Compost.md' })],
    ['another tool that reads', legacyCall('query', { query: 'xylophone' })],
    ['a resource', legacy('resources/read', { uri: 'vault://note/Compost.md' })],
    ['the list of resources', legacy('resources/list')],
    ['a prompt', legacy('prompts/get', { name: 'garden' })],
    ['the list of prompts', legacy('prompts/list')],
    ['a completion', legacy('completion/complete', {})],
  ])('does not get %s', async (_, body) => {
    const { text, messages } = await new RawMcp(url, garden.key({ scopes: ['append'] })).send(body);
    expect(messages[0]?.error?.code).toBeLessThan(0);
    expect(text).not.toContain('xylophone stays');
  });

  it('does not get the profile that only reads, and one with neither scope gets nothing', async () => {
    const search = new RawMcp(`${url}?profile=search`, garden.key({ scopes: ['append'] }));
    const admin = new RawMcp(url, garden.key({ scopes: ['admin'] }));
    for (const mcp of [search, admin])
      expect((await mcp.send(legacy('tools/list'))).messages[0]?.error).toMatchObject({
        data: { code: 'scope_missing' },
      });
  });

  it('is told of no changed note where it listens', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['append'] }));
    const { body, headers } = modern('subscriptions/listen', {
      notifications: {
        toolsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['vault://note/Compost.md'],
      },
    });
    const events = new EventReader(await mcp.open(body, { headers }));
    await events.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
    const reader = new RawMcp(url, garden.key());
    const told = new EventReader(await reader.open(body, { headers }));
    await told.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
    garden.write('Compost.md', '# Compost\n\nTurned.\n');
    await garden.opened.vault.reconcile();
    await told.message(({ method }) => method === 'notifications/resources/updated');
    await garden.opened.writes.switch(false);
    await events.message(ofTools);
    expect(events.messages.map(({ method }) => method)).not.toContain('notifications/resources/updated');
  });
});

describe('the write switch', () => {
  it('is told to sessions of revision 2025-11-25', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    const { messages, headers: answered } = await mcp.send(initialize({ elicitation: {} }));
    expect(messages[0]?.result.capabilities.tools).toEqual({ listChanged: true });
    const headers = { 'mcp-session-id': answered.get('mcp-session-id') };
    const events = new EventReader(await mcp.open(undefined, { method: 'GET', headers }));
    await garden.opened.writes.switch(false);
    await events.message(ofTools);
  });

  it('is told to listeners of revision 2026-07-28', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'] }));
    const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const events = new EventReader(await mcp.open(body, { headers }));
    await events.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await garden.opened.writes.switch(false);
    await events.message(ofTools);
  });
});

describeWithPrograms('the program that a call comes from', ['git'], () => {
  const lastCommit = (): string => {
    const gitDir = join(garden.opened.stateDir, 'git');
    return execFileSync('git', ['--git-dir', gitDir, 'log', '-1', '--format=%an%n%B'], { encoding: 'utf8' });
  };

  it('is told in the history, in both revisions', async () => {
    const mcp = new RawMcp(url, garden.key({ scopes: ['write'], name: 'Planner' }));
    const { body, headers } = modern('tools/call', {
      name: 'write_note',
      arguments: { path: 'Modern.md', content: 'one' },
    });
    expect((await mcp.result(body, { headers })).isError).toBeUndefined();
    expect(lastCommit()).toMatch(/^Planner\n[\s\S]*Grove-Client: raw 1\n/);
    const session = { 'mcp-session-id': await mcp.session() };
    await mcp.result(legacyCall('write_note', { path: 'Session.md', content: 'two' }), { headers: session });
    expect(lastCommit()).toMatch(/^Planner\n[\s\S]*Grove-Client: raw 1\n/);
    await mcp.result(legacyCall('write_note', { path: 'Alone.md', content: 'three' }));
    expect(lastCommit()).not.toContain('Grove-Client');
  });
});

describe('clientName', () => {
  it.each([
    [{ name: 'claude-code', version: '2.1.0' }, 'claude-code 2.1.0'],
    [{ name: ' a\r\nGrove-Key: k', version: '\u2028\u202e\u0000' }, 'a Grove-Key: k'],
    [{ name: '\ud800', version: '' }, '\ufffd'],
    [{ name: '', version: ' ' }, null],
    [undefined, null],
  ])('of %j is %j', (info, name) => expect(clientName(info)).toBe(name));

  it('is short, and never ends in half a character', () => {
    const name = clientName({ name: `${'x'.repeat(79)}🌱🌱`, version: '1' });
    expect(name?.length).toBeLessThanOrEqual(80);
    expect(name?.isWellFormed()).toBe(true);
  });
});
