import { CLIENTS } from '@grove/server/clients';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { type RunningServer, startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
let server: RunningServer;
beforeAll(async () => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
  server = await startServer(args);
});
afterAll(async () => {
  await server.stop();
  scratch.remove();
});

describe('grove connect', () => {
  it('lists the clients, without a vault', async () => {
    const { code, stdout } = await runGrove(['connect', '--data', '/dev/null/none']);
    expect(code).toBe(0);
    for (const { id, where } of CLIENTS)
      expect(stdout).toMatch(new RegExp(`^  ${id} +.*${where.slice(0, 4)}`, 'm'));
  });

  it('takes the address from the running server and a placeholder for the key', async () => {
    const { stdout, stderr } = await runGrove(['connect', 'VS Code', ...args]);
    expect(stdout).toContain(`"url": "${server.told.mcp_url}"`);
    expect(stdout).toContain('"Authorization": "Bearer YOUR_KEY"');
    expect(stderr).toContain('--new-key');
  });

  it('makes a key that the server takes at once, and another name when asked again', async () => {
    for (const name of ['curl', 'curl-2']) {
      const { stdout } = await runGrove(['connect', 'curl', '--new-key', ...args, '--json']);
      const told = JSON.parse(stdout);
      expect(told).toMatchObject({ client: 'curl', running: true, key: { name, scopes: ['read'] } });
      expect(told.text).toContain(told.token);
      expect((await server.get('/v1/query?q=compost', told.token)).status).toBe(200);
    }
    const named = ['connect', 'zed', '--new-key', '--name', 'editor', '--scopes', 'write', ...args, '--json'];
    expect(JSON.parse((await runGrove(named)).stdout).key).toMatchObject({
      name: 'editor',
      scopes: ['write'],
    });
  });

  it('shows links that install it, with a key only when that is asked for', async () => {
    const { stdout } = await runGrove(['connect', 'cursor', '--new-key', ...args, '--json']);
    const { links, token } = JSON.parse(stdout);
    const entry = (link: string) => atob(new URL(link).searchParams.get('config') ?? '');
    expect(JSON.parse(entry(links[0].url))).toEqual({ url: server.told.mcp_url });
    const words = ['connect', 'cursor', '--new-key', '--key-in-link', ...args];
    const told = await runGrove(words);
    const [, link = ''] = /Install in Cursor: (\S+)/.exec(told.stdout) ?? [];
    expect(told.stdout).toContain('keep it to yourself');
    expect(JSON.parse(entry(link)).headers.Authorization).toMatch(/^Bearer grove_/);
    expect(entry(link)).not.toContain(token);
  });

  it('tells what to do on the web, and that the address is not public', async () => {
    const { code, stdout, stderr } = await runGrove(['connect', 'claude.ai', ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('docs/clients/claude.md') });
    expect(stdout).toContain(`grove: ${server.told.mcp_url}`);
    expect(stdout).toContain('Add custom connector');
  });

  it.each([
    [['chatgpt', '--new-key'], 'you sign in'],
    [['cursor', '--key-in-link'], 'add --new-key'],
    [['claude-desktop', '--new-key'], 'takes no key'],
    [['cursor', '--name', 'x'], 'add --new-key'],
    [['windsrf'], 'did you mean windsurf?'],
    [['notepad'], 'Known are claude-code'],
  ])('refuses %j', async (words, said) => {
    const { code, stdout, stderr } = await runGrove(['connect', ...words, ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(said);
  });

  it('shows the address of the settings where no server runs', async () => {
    const own = makeScratch();
    const { stdout, stderr } = await runGrove(
      ['connect', 'claude-code', '--vault', own.vault, '--data', own.data],
      { env: { GROVE_PORT: '9000', GROVE_HOST: '0.0.0.0' } },
    );
    expect(stdout).toContain('http://127.0.0.1:9000/mcp');
    expect(stderr).toMatch(/^No server runs for this vault now: .*grove'? start$/m);
    own.remove();
  });
});
