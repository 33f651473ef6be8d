import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { describeWithPrograms, makeFolder, makeRemoteSide, writeFiles } from '@grove/testing';
import { expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { listen } from './http/listen.ts';
import { isOccupancy, tryOccupy } from './local/occupancy.ts';
import { callOwner } from './local/owner-client.ts';
import { createLog } from './log.ts';
import { initialize, legacy, legacyCall, modern, RawMcp } from './mcp/testing/raw-mcp.ts';
import { NO_LIMITS } from './rule-sources.ts';
import { gardenOptions } from './testing/garden-options.ts';

const letters = (): string => randomBytes(24).toString('base64url');
/** In the text of notes, in their names, in what is searched, and in what is written. */
const WORDS = ['xylophone', 'Marmalade', 'zeppelin', 'clavichord'];

describeWithPrograms('the log of a server, at its most talkative', ['git'], () => {
  it('holds no word of notes, of their names, of queries and no secret, over MCP, beside it and in sync', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line: string) => void lines.push(line) });
    const folder = makeFolder('words in a log');
    const root = join(folder.path, 'Notes');
    writeFiles(root, {
      'Marmalade.md': '---\ntags: [clavichord]\n---\n# Marmalade\n\nThe xylophone plays.\n',
      'Broken Marmalade.md': '---\ntitle: [xylophone\n---\nclavichord\n',
    });
    const dataDir = join(folder.path, 'data');
    mkdirSync(dataDir);
    const control = openControl({ dataDir, clock: systemClock });
    const occupancy = await tryOccupy(
      {
        root,
        dataDir,
        stateDir: join(dataDir, 'vaults', 'notes'),
        runtimeDir: null,
        kind: 'server',
        rules: NO_LIMITS,
        poll: false,
        publicUrl: null,
        version: '1',
        log,
        audit: control.audit,
      },
      null,
    );
    if (!isOccupancy(occupancy)) throw new Error('somebody else owns the vault');
    const { opened, address } = occupancy;
    await opened.ready;
    await opened.writes.switch(true);
    const webhookSecret = letters();
    const app = await buildApp({ ...gardenOptions({ opened }, control), log, webhookSecret });
    const url = `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0 })}`;
    const key = control.keys.create({ name: 'Key', vault: opened.slug, scopes: ['write'] }).token;
    const secrets = [key, webhookSecret];

    const mcp = new RawMcp(`${url}/mcp`, key);
    const session = { 'mcp-session-id': await mcp.session() };
    const calls: readonly (readonly [string, object])[] = [
      ['query', { query: 'zeppelin xylophone' }],
      ['query', { query: 'zeppelin', where: 'zeppelin = (' }],
      ['query', { zeppelin: 1 }],
      ['query', { searches: [{ type: 'regex', query: 'zeppelin(' }] }],
      ['get', { path: 'Marmalade' }],
      ['get', { path: 'No Marmalade' }],
      ['multi_get', { paths: ['Marmalade.md', '../Marmalade'] }],
      ['list_notes', { folder: 'Marmalade' }],
      ['write_note', { path: 'Marmalade.md', action: 'append', content: 'clavichord' }],
      ['write_note', { path: 'Marmalade.md', action: 'write', content: 'clavichord' }],
      [
        'write_note',
        { path: 'Marmalade zeppelin.md', action: 'create', content: '---\nx: [clavichord\n---\n' },
      ],
      ['vault_status', { path: 'Marmalade.md' }],
      ['Marmalade', { zeppelin: 1 }],
    ];
    for (const [name, input] of calls) {
      await mcp.send(legacyCall(name, input));
      await mcp.send(legacyCall(name, input), { headers: session });
      const { body, headers } = modern('tools/call', { name, arguments: input });
      await mcp.send(body, { headers });
      await callOwner(address, { rules: NO_LIMITS, operation: name, input }).catch(() => {});
    }
    for (const body of [
      initialize({ Marmalade: {} }),
      legacy('resources/read', { uri: 'vault://note/Marmalade.md' }),
      legacy('resources/read', { uri: 'vault://note/Nothing%20of%20Marmalade.md' }),
      legacy('resources/subscribe', { uri: 'vault://note/Marmalade.md' }),
      legacy('prompts/get', { name: 'zeppelin', arguments: { topic: 'xylophone' } }),
      legacy('zeppelin/xylophone', { Marmalade: 1 }),
      '{"zeppelin',
    ]) {
      await mcp.send(body);
      await mcp.send(body, { headers: session });
    }

    const side = await makeRemoteSide({ 'Plan.md': 'zeppelin\n' });
    const [right, wrong] = [letters(), letters()];
    secrets.push(right, wrong);
    side.server.token = right;
    await opened.sync.keepToken(wrong);
    await opened.sync.choose({ mode: 'on', url: side.url });
    expect((await opened.sync.run()).problem).not.toBeNull();
    await opened.sync.keepToken(right);
    side.elsewhere({ 'Marmalade.md': 'another zeppelin\n' });
    await opened.sync.run();
    for (const token of [wrong, webhookSecret])
      await fetch(`${url}/v1/sync`, {
        method: 'POST',
        headers: {
          'x-gitlab-event': 'Push Hook',
          'x-gitlab-token': token,
          'content-type': 'application/json',
        },
        body: '{"commits":[{"message":"zeppelin"}]}',
      });
    await opened.sync.ended();

    await app.close();
    await occupancy.leave();
    control.close();
    folder.remove();
    expect(lines.length).toBeGreaterThan(calls.length * 4);
    expect(lines.join('')).toContain('"msg":"called"');
    for (const hidden of [...WORDS, ...secrets])
      expect(lines.filter((line) => line.includes(hidden) || line.includes(btoa(`x:${hidden}`)))).toEqual([]);
  }, 120_000);
});
