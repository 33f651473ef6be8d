import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { type RunningServer, startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const TOKEN = /^grove_[\w-]{43}\n$/;

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

async function keys(...words: string[]): ReturnType<typeof runGrove> {
  return await runGrove(['keys', ...words, ...args]);
}

async function status(key: string): Promise<number> {
  return (await server.get('/v1/query?q=compost', key.trim())).status;
}

describe('grove keys', () => {
  it('makes a key that a script can take, for a server that runs', async () => {
    const { code, stdout, stderr } = await keys('create', 'phone');
    expect(code).toBe(0);
    expect(stdout).toMatch(TOKEN);
    expect(stderr).toMatch(
      /^Made the key "phone" of my-garden: read; does not expire; k_[\w-]+\. It is shown this once\.\n$/,
    );
    expect(await status(stdout)).toBe(200);
    expect((await keys('create', 'phone')).stderr).toContain('is in use already');
  });

  it('revokes and rotates with effect on the next call', async () => {
    const made = (await keys('create', 'tablet')).stdout;
    expect(await status(made)).toBe(200);
    const rotated = (await keys('rotate', 'tablet')).stdout;
    expect([await status(made), await status(rotated)]).toEqual([401, 200]);
    const { stdout } = await keys('revoke', 'tablet', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ key: { name: 'tablet', state: 'revoked' } });
    expect(await status(rotated)).toBe(401);
    expect((await keys('rotate', 'tablet')).code).toBe(1);
  });

  it('shows a rule as it is, whatever it holds', async () => {
    const rule = 'Pri\u009b2Jvate\u202e';
    const made = await keys('create', 'odd', '--deny-paths', rule);
    const listed = await keys('list');
    for (const text of [made.stderr, listed.stdout])
      expect(text).toContain(String.raw`deny Pri\u{9b}2Jvate\u{202e}`);
    const { stdout } = await keys('list', '--json');
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
    expect(JSON.parse(stdout).keys[0]).toMatchObject({ name: 'odd', deny_paths: [rule] });
  });

  it('keeps a key to its folders', async () => {
    const made = (await keys('create', 'guest', '--read-paths', 'Garden, Daily', '--deny-paths', 'Daily'))
      .stdout;
    const found = async (words: string): Promise<unknown> =>
      await (await server.get(`/v1/query?q=${words}`, made.trim())).json();
    expect(await found('xylophone')).toMatchObject({ hits: [] });
    expect(await found('watered')).toMatchObject({ hits: [] });
    expect(await found('compost')).toMatchObject({ hits: [{ path: 'Garden/Compost.md' }, {}] });
  });

  it('lists them with what they may and when they were used', async () => {
    await keys('create', 'old', '--scopes', 'write,read', '--expires', '90d', '--write-paths', 'Daily');
    const { stdout } = await keys('list');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(
      expect.arrayContaining(['id', 'name', 'scopes', 'rules', 'made', 'expires', 'last use', 'state']),
    );
    expect(rows.find((row) => row.includes(' old '))).toMatch(
      /^k_\S+ +old +read,write +write Daily +just now +in 3 months +never +live$/,
    );
    const told = JSON.parse((await keys('list', '--json')).stdout);
    expect(told.keys[0]).toMatchObject({
      name: 'old',
      vault: 'my-garden',
      write_paths: ['Daily'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      revoked_at: null,
    });
    expect(JSON.stringify(told)).not.toMatch(/grove_/);
  });

  it.each([
    [['create', 'x', '--scopes', 'raed'], 'read'],
    [['create', 'x', '--expires', 'soon'], 'soon'],
    [['create', 'x', '--read-paths', '../up'], '../up'],
    [['create', 'x', '--deny-paths', ','], '--deny-paths'],
    [['create', ' '], 'name'],
    [['revoke', 'nobody'], 'nobody'],
  ])('refuses %j and writes nothing', async (words, said) => {
    // Without the last uses, which the server writes when it comes to it.
    const listed = async (): Promise<string> =>
      (await keys('list', '--json')).stdout.replaceAll(/"last_used_at":(?:null|"[^"]*")/g, '');
    const before = await listed();
    const { code, stdout, stderr } = await keys(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(said);
    expect(await listed()).toBe(before);
  });
});

describe('grove keys where several vaults are known', () => {
  it('asks which, and ends the keys of one whose folder is away', async () => {
    const own = makeScratch();
    const other = makeScratch();
    const data = ['--data', own.data];
    await runGrove(['keys', 'create', 'a', '--vault', own.vault, ...data]);
    await runGrove(['keys', 'create', 'b', '--vault', other.vault, ...data]);
    const asked = await runGrove(['keys', 'list', ...data]);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('my-garden, my-garden-2');
    rmSync(other.vault, { recursive: true });
    const revoked = await runGrove(['keys', 'revoke', 'b', '--vault', 'my-garden-2', ...data]);
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining('Revoked the key "b"') });
    own.remove();
    other.remove();
  });
});
