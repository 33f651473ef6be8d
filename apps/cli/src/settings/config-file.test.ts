import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { defaultConfigFile } from './config-file.ts';
import { readSettings, type SettingSources, type Settings } from './settings.ts';

/** A folder as home, with a file of settings where Grove looks for it. */
function homeWith(text: string | Uint8Array, mode = 0o600): string {
  const home = temporaryFolder('config');
  mkdirSync(join(home, '.config', 'grove'), { recursive: true });
  writeFileSync(join(home, '.config', 'grove', 'config.yaml'), text, { mode });
  return home;
}

async function settingsIn(home: string, sources: Partial<SettingSources> = {}): Promise<Settings> {
  const environment = { HOME: home, ...sources.environment };
  return await readSettings({ from: '/here', platform: 'linux', ...sources, environment });
}

describe('a file with settings', () => {
  it('is read where it is looked for, with paths from its own folder and from home', async () => {
    const home = homeWith(`
vault: [~/Notes, work]
data: ../state
port: 9000
read-only: true
poll: 5000
deny-paths: [Private, 'Letters, old']
allowed-hosts: nas.local, nas.lan
sync-token-file: token
log-level:
`);
    const settings = await settingsIn(home);
    expect(settings).toMatchObject({
      configFile: join(home, '.config/grove/config.yaml'),
      vaults: [join(home, 'Notes'), 'work'],
      dataDir: join(home, '.config/state'),
      rules: { denyPaths: ['Private', 'Letters, old'], readOnly: true },
      poll: 5000,
      server: { port: 9000, allowedHosts: ['nas.local', 'nas.lan'] },
      sync: { token: { file: join(home, '.config/grove/token') } },
      logLevel: 'warn',
      warnings: [],
      limits: { GROVE_CONFIG: join(home, '.config/grove/config.yaml') },
    });
  });

  it('gives way to the environment, and that to flags', async () => {
    const home = homeWith('port: 1\nhost: 127.0.0.2\npublic-url: https://a.example\n');
    const { server } = await settingsIn(home, {
      environment: { GROVE_PORT: '2', GROVE_HOST: '127.0.0.3' },
      flags: { port: '3' },
    });
    expect(server).toMatchObject({ port: 3, host: '127.0.0.3', publicUrl: 'https://a.example' });
  });

  it('is the one that is named, which must be there', async () => {
    const home = homeWith('port: 1\n');
    writeFileSync(join(home, 'other.yaml'), 'port: 2\n');
    expect((await settingsIn(home, { config: 'other.yaml', from: home })).server.port).toBe(2);
    const environment = { GROVE_CONFIG: join(home, 'other.yaml') };
    expect((await settingsIn(home, { environment })).server.port).toBe(2);
    await expect(settingsIn(home, { config: 'none.yaml', from: home })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('none.yaml cannot be read (ENOENT)'),
    });
    expect((await settingsIn('/dev/null/home')).configFile).toBeNull();
  });

  it('warns of a secret that others may read', async () => {
    const { warnings } = await settingsIn(homeWith('sync-token: abc\n', 0o644));
    expect(warnings).toEqual([expect.stringMatching(/config\.yaml holds a secret.*chmod 600/)]);
    expect((await settingsIn(homeWith('port: 1\n', 0o644))).warnings).toEqual([]);
  });

  it.each([
    [
      'an unknown name',
      'deny-path: Private',
      'has "deny-path", which is not a setting; did you mean deny-paths?',
    ],
    ['the name of a variable', 'GROVE_DENY_PATHS: Private', 'did you mean deny-paths?'],
    ['a name like no other', 'favourite-colour: green', 'Settings: vault, data,'],
    ['a name of every object', '__proto__: 1', 'which is not a setting'],
    ['a wrong value', 'port: many', 'port in '],
    ['a list where one value is meant', 'port: [1, 2]', 'is no single value'],
    ['a mapping where a list is meant', 'deny-paths: {a: b}', 'is no single value'],
    ['a list of lists', 'deny-paths: [[a]]', 'has an entry that is no text'],
    ['a list of nothing', "deny-paths: ['']", 'names no folder'],
    ['no mapping', '- port', 'is no list of settings'],
    ['no YAML', 'port: [1', 'is no YAML: line'],
    ['a name twice', 'port: 1\nport: 2', 'is no YAML: line'],
    ['two documents', 'port: 1\n---\nport: 2', 'is no YAML: line'],
    ['too much', `# ${'x'.repeat(70_000)}`, 'has more than 65536 bytes'],
    ['bytes that are no text', Buffer.from([0x70, 0xff, 0xfe]), 'is not UTF-8'],
    ['nesting without end', '['.repeat(30_000), 'config.yaml'],
    [
      'aliases without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((one, at) => `${one}: &${one} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`).join('\n')}\n`,
      'is nested or repeated beyond measure',
    ],
  ])('is refused in one sentence with %s', async (_what, text, said) => {
    await expect(settingsIn(homeWith(text))).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining(said),
    });
  });

  it('is refused where it is a folder or a pipe', async () => {
    const home = temporaryFolder('config');
    mkdirSync(join(home, 'folder'));
    execFileSync('mkfifo', [join(home, 'pipe')]);
    for (const config of ['folder', 'pipe'])
      await expect(settingsIn(home, { config, from: home })).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining(`${config} is no file`),
      });
  });
});

describe('settings that contradict each other', () => {
  it.each([
    [{ GROVE_SYNC_TOKEN: 'a', GROVE_SYNC_TOKEN_FILE: 'b' }, 'are both set'],
    [{ GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY: 'a', GROVE_EMBEDDER_KEY_FILE: 'b' }, 'are both set'],
    [{ GROVE_EMBEDDER: 'voyage' }, 'GROVE_EMBEDDER is voyage, which needs GROVE_EMBEDDER_KEY'],
    [{ GROVE_EMBEDDER_MODEL: 'x' }, 'says something only where GROVE_EMBEDDER is voyage or openai'],
    [{ GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY_FILE: '/none' }, 'cannot be read (ENOENT)'],
  ])('stop the start: %j', async (environment, said) => {
    await expect(settingsIn('/dev/null/home', { environment })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining(said),
    });
  });

  it('are named as each was given', async () => {
    const home = homeWith('embedder: voyage\nsync-token: a\n');
    await expect(settingsIn(home)).rejects.toThrow(
      `embedder in ${join(home, '.config/grove/config.yaml')} is voyage, which needs GROVE_EMBEDDER_KEY`,
    );
    await expect(settingsIn(home, { flags: { embedder: 'off', syncTokenFile: 'token' } })).rejects.toThrow(
      /sync-token in .* and --sync-token-file are both set/,
    );
  });

  it('do not come by an empty flag', async () => {
    await expect(settingsIn('/dev/null/home', { flags: { denyPaths: '' } })).rejects.toThrow(
      '--deny-paths says nothing',
    );
  });
});

describe('what a client is given that starts Grove itself', () => {
  it('is the file, and what came from elsewhere', async () => {
    const home = homeWith('deny-paths: [Private]\nembedder: voyage\nembedder-key: k\n');
    const file = join(home, '.config/grove/config.yaml');
    expect((await settingsIn(home, { flags: { readPaths: 'Work' } })).limits).toEqual({
      GROVE_CONFIG: file,
      GROVE_READ_PATHS: 'Work',
    });
  });

  it('names the file of a key, not the key', async () => {
    const home = temporaryFolder('config');
    writeFileSync(join(home, 'key'), 'secret\n', { mode: 0o600 });
    const environment = { GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY_FILE: 'key' };
    const { embedder, limits } = await settingsIn(home, { environment, from: home });
    expect(embedder).toMatchObject({ kind: 'voyage', key: 'secret' });
    expect(limits).toEqual({ GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY_FILE: join(home, 'key') });
  });
});

describe('defaultConfigFile', () => {
  it.each([
    ['linux', { HOME: '/home/ann' }, '/home/ann/.config/grove/config.yaml'],
    ['linux', { HOME: '/home/ann', XDG_CONFIG_HOME: '/xdg' }, '/xdg/grove/config.yaml'],
    ['linux', { HOME: '/home/ann', XDG_CONFIG_HOME: 'relative' }, '/home/ann/.config/grove/config.yaml'],
    ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Application Support/grove/config.yaml'],
    ['win32', { APPDATA: '/roaming' }, '/roaming/grove/config.yaml'],
  ] as const)('on %s with %o', (platform, environment, expected) => {
    expect(defaultConfigFile(environment, platform)).toBe(expected);
  });
});
