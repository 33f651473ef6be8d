import { type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveHttp } from '../http/serve-http.ts';
import { createLog } from '../log.ts';
import { gardenOptions } from '../testing/garden-options.ts';
import { type Garden, openGarden } from '../testing/open-garden.ts';

let garden: Garden;
let control: Control;
beforeAll(async () => {
  garden = await openGarden();
  control = openControl({ dataDir: garden.dataDir, clock: systemClock });
});
afterAll(async () => {
  control.close();
  await garden.close();
});

/** Writes down a client that was let in to a server of this address; gives its access token. */
function letIn(resource: string): string {
  const grantId = `grant of ${resource}`;
  const token = Buffer.from(resource).toString('base64url').padEnd(43, '0').slice(0, 43);
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  control.oauth.upsert('Grant', grantId, {}, 3_600);
  control.grants.record({
    grantId,
    account: 'owner',
    vault: garden.opened.slug,
    trailId: null,
    scopes: ['read'],
    askedToWrite: true,
    clientId: 'client',
    clientName: 'Claude',
    redirectHost: 'claude.ai',
    resource,
  });
  const payload = { grantId, accountId: 'owner', clientId: 'client', aud: resource, exp };
  control.oauth.upsert('AccessToken', token, { ...payload, scope: 'vault:read' }, 3_600);
  return token;
}

/** Serves under a public address, or none, and asks with a token. */
async function statusOf(publicUrl: string | null, token: (url: string) => string): Promise<[number, string]> {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  const options = { ...gardenOptions(garden, control), publicUrl, log };
  const serving = await serveHttp(options, { host: '127.0.0.1', port: 0 });
  try {
    const headers = { authorization: `Bearer ${token(serving.url)}` };
    return [(await fetch(`${serving.url}/v1/notes`, { headers })).status, lines.join('')];
  } finally {
    await serving.close();
  }
}

it('takes tokens for the public address, or for the one of this machine where there is none', async () => {
  const token = letIn('https://one.example/mcp');
  expect(await statusOf('https://one.example', () => token)).toEqual([200, '']);
  expect(await statusOf(null, (url) => letIn(`${url}/mcp`))).toEqual([200, '']);
  expect((await statusOf(null, () => token))[0]).toBe(401);
  expect((await statusOf('https://one.example', () => token))[0]).toBe(200);
});

it('ends the grants of another public address, and says which clients have to sign in again', async () => {
  const token = letIn('https://old.example/mcp');
  const [status, said] = await statusOf('https://new.example', () => token);
  expect(status).toBe(401);
  expect(said).toContain('the public address is another than before');
  expect(said).toContain('Claude');
  expect((await statusOf('https://old.example', () => token))[0]).toBe(401);
});
