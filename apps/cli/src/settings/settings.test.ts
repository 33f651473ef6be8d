import { describe, expect, it } from 'vitest';
import { defaultDataDir, type Settings, settingsOf } from './settings.ts';

/** The settings that variables alone come to. */
function read(environment: Readonly<Record<string, string>>): Settings {
  return settingsOf(
    { environment: { HOME: '/home/ann', ...environment }, from: '/here', platform: 'linux' },
    null,
  );
}

describe('settingsOf', () => {
  it('reads lists, switches and places', () => {
    const { values, given, ...settings } = read({
      GROVE_VAULT: '/notes',
      GROVE_DATA: '../data',
      GROVE_READ_PATHS: 'Projects, Daily/**',
      GROVE_DENY_PATHS: 'Projects/Secret,',
      GROVE_READ_ONLY: 'Yes',
      GROVE_POLL: '5000',
      GROVE_LOG_LEVEL: 'debug',
      GROVE_LOG_FORMAT: 'Pretty',
      GROVE_AUDIT_DAYS: '30',
      GROVE_OWNER_PASSPHRASE_FILE: 'secrets/passphrase',
      GROVE_HOST: '[::]',
      GROVE_PORT: '9000',
      GROVE_PUBLIC_URL: 'https://Notes.example.org:443/',
      GROVE_ALLOWED_HOSTS: 'nas.local, *.tailnet.ts.net',
      GROVE_ALLOWED_ORIGINS: 'https://app.example',
      GROVE_TRUST_PROXY: 'loopback, 172.16.0.0/12',
      GROVE_GITHUB_CLIENT_ID: 'Iv1.a',
      GROVE_GITHUB_CLIENT_SECRET_FILE: 'secrets/github',
      GROVE_SYNC: 'Pull',
      GROVE_SYNC_TOKEN_FILE: 'secrets/token',
      GROVE_SYNC_PULL_SECONDS: '0',
      GROVE_LIMIT_READS: '0',
      GROVE_LIMIT_OPERATIONS: '1000',
      XDG_RUNTIME_DIR: '/run/user/1',
    });
    expect(settings).toEqual({
      vaults: ['/notes'],
      dataDir: '/data',
      defaultDataDir: '/home/ann/.local/share/grove',
      limits: {
        GROVE_READ_PATHS: 'Projects, Daily/**',
        GROVE_DENY_PATHS: 'Projects/Secret,',
        GROVE_READ_ONLY: 'Yes',
      },
      rules: {
        readPaths: ['Projects', 'Daily/**'],
        writePaths: [],
        denyPaths: ['Projects/Secret'],
        readOnly: true,
      },
      poll: 5000,
      embedder: { kind: 'local' },
      auditDays: 30,
      ownerPassphraseFile: 'secrets/passphrase',
      upstreams: [
        {
          provider: 'github',
          clientId: 'Iv1.a',
          secret: { value: null, file: 'secrets/github', called: 'GROVE_GITHUB_CLIENT_SECRET_FILE' },
        },
      ],
      sync: {
        mode: 'pull',
        token: { value: null, file: 'secrets/token', called: 'GROVE_SYNC_TOKEN_FILE' },
        webhookSecret: { value: null, file: null, called: 'GROVE_SYNC_WEBHOOK_SECRET_FILE' },
        pullSeconds: 0,
        pushSeconds: 30,
      },
      logLevel: 'debug',
      verbLogLevel: 'debug',
      logFormat: 'pretty',
      runtimeDir: '/run/user/1',
      server: {
        host: '::',
        port: 9000,
        publicUrl: 'https://notes.example.org',
        allowedHosts: ['nas.local', '*.tailnet.ts.net'],
        allowedOrigins: ['https://app.example'],
      },
      trustedProxies: ['loopback', '172.16.0.0/12'],
      callLimits: { reads: 0, writes: 20, operations: 1000 },
      configFile: null,
      warnings: [],
    });
  });

  it.each([',', ' ', ' , ,'])('refuses a list of paths that names none: %j', (text) => {
    for (const name of ['GROVE_READ_PATHS', 'GROVE_WRITE_PATHS', 'GROVE_DENY_PATHS'])
      expect(() => read({ [name]: text })).toThrow(name);
  });

  it.each([
    ['GROVE_LIMIT_READS', '-1'],
    ['GROVE_LIMIT_WRITES', '1.5'],
    ['GROVE_LIMIT_OPERATIONS', 'off'],
    ['GROVE_TRUST_PROXY', 'true'],
    ['GROVE_TRUST_PROXY', '1'],
    ['GROVE_TRUST_PROXY', '0.0.0.0/0'],
    ['GROVE_TRUST_PROXY', '10.0.0.0/33'],
    ['GROVE_TRUST_PROXY', 'proxy.example'],
  ])('refuses %s=%s by its name', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name);
  });

  it('refuses a setting in another case, which would limit nothing', () => {
    expect(() => read({ grove_deny_paths: 'Private' })).toThrow('GROVE_DENY_PATHS');
  });

  it('takes an empty variable for an absent one', () => {
    const { vaults, dataDir, rules, poll } = read({
      GROVE_VAULT: '',
      GROVE_DATA: '',
      GROVE_READ_PATHS: '',
      GROVE_POLL: '',
    });
    expect({ vaults, dataDir, poll }).toEqual({
      vaults: [],
      dataDir: '/home/ann/.local/share/grove',
      poll: false,
    });
    expect(rules.readPaths).toEqual([]);
  });

  it.each([
    ['GROVE_READ_ONLY', 'perhaps'],
    ['GROVE_POLL', '10'],
    ['GROVE_POLL', 'often'],
    ['GROVE_LOG_LEVEL', 'loud'],
    ['GROVE_EMBEDDER', 'cloud'],
    ['GROVE_EMBEDDER', 'voyage'],
    ['GROVE_EMBEDDER', 'openai'],
    ['GROVE_EMBEDDER_URL', 'http://localhost:11434/v1'],
    ['GROVE_EMBEDDER_DIMENSIONS', 'many'],
    ['GROVE_SYNC', 'always'],
    ['GROVE_SYNC_PULL_SECONDS', '-1'],
    ['GROVE_SYNC_PUSH_SECONDS', '0'],
    ['GROVE_HOST', 'http://nas.local'],
    ['GROVE_HOST', 'nas.local:8420'],
    ['GROVE_HOST', 'two words'],
    ['GROVE_AUDIT_DAYS', '0'],
    ['GROVE_AUDIT_DAYS', 'ninety'],
    ['GROVE_PORT', '-1'],
    ['GROVE_PORT', '65536'],
    ['GROVE_PORT', '8420/tcp'],
    ['GROVE_PORT', '0x1f90'],
    ['GROVE_PUBLIC_URL', 'notes.example.org'],
    ['GROVE_PUBLIC_URL', 'ftp://notes.example.org'],
    ['GROVE_PUBLIC_URL', 'https://example.org/grove'],
    ['GROVE_PUBLIC_URL', 'https://example.org/?'],
    ['GROVE_PUBLIC_URL', 'https://ann:secret@example.org'],
  ])('refuses %s=%s by its name', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(name) }),
    );
  });

  it('reads what turns notes into vectors, and gives clients all of it but the key', () => {
    const own = {
      GROVE_EMBEDDER: 'OpenAI',
      GROVE_EMBEDDER_URL: 'http://localhost:11434/v1',
      GROVE_EMBEDDER_MODEL: 'bge-m3',
      GROVE_EMBEDDER_DIMENSIONS: '1024',
    };
    const { embedder, limits } = read(own);
    expect(embedder).toEqual({
      kind: 'openai',
      url: 'http://localhost:11434/v1',
      model: 'bge-m3',
      key: null,
      dimensions: 1024,
    });
    expect(limits).toEqual(own);
    const voyage = read({ GROVE_EMBEDDER: 'voyage', GROVE_EMBEDDER_KEY: 'secret' });
    expect(voyage.embedder).toMatchObject({ kind: 'voyage', key: 'secret', model: null });
    expect(voyage.limits).toEqual({ GROVE_EMBEDDER: 'off' });
    // As a client has it that was started beside that key.
    const client = { ...voyage.limits, GROVE_EMBEDDER_KEY: 'secret' };
    expect(read(client).embedder).toEqual({ kind: 'off' });
  });

  it('takes no blanks around a folder, and those in it', () => {
    const { vaults, dataDir } = read({ GROVE_VAULT: ' /srv/My Notes ', GROVE_DATA: ' /srv/a b\t' });
    expect([vaults, dataDir]).toEqual([['/srv/My Notes'], '/srv/a b']);
    expect(read({ GROVE_VAULT: ' ' }).vaults).toEqual([]);
  });

  it('copies no address with a query, which may hold a key, into the files of clients', () => {
    const embedder = { GROVE_EMBEDDER: 'openai', GROVE_EMBEDDER_MODEL: 'm' };
    const url = 'https://models.example/v1?key=hidden';
    expect(read({ ...embedder, GROVE_EMBEDDER_URL: url })).toMatchObject({
      embedder: { url },
      limits: { GROVE_EMBEDDER: 'off' },
    });
    expect(() => read({ GROVE_EMBEDDER_URL: 'https://ann:hid@den@models.example/v1' })).toThrow(
      /GROVE_EMBEDDER_URL holds a user name or a password/,
    );
    expect(() => read({ GROVE_EMBEDDER_URL: 'models.example' })).toThrow(/GROVE_EMBEDDER_URL is no address/);
  });

  it('refuses a slip in the name of a list that keeps notes private', () => {
    expect(() => read({ GROVE_DENY_PATH: 'Private' })).toThrow(
      /GROVE_DENY_PATH is not a setting; did you mean GROVE_DENY_PATHS\?/,
    );
  });

  it('says so when it ignores a variable that is not nearly one of its own', () => {
    const { warnings } = read({ GROVE_FAVOURITE_COLOUR: 'green', GROVE_SERVICE_PORT: '80' });
    expect(warnings).toEqual([
      expect.stringContaining('GROVE_FAVOURITE_COLOUR'),
      expect.stringContaining('GROVE_SERVICE_PORT'),
    ]);
  });
});

describe('defaultDataDir', () => {
  it.each([
    ['linux', { HOME: '/home/ann' }, '/home/ann/.local/share/grove'],
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: '/xdg' }, '/xdg/grove'],
    ['linux', { HOME: '/home/ann', XDG_DATA_HOME: 'relative' }, '/home/ann/.local/share/grove'],
    ['darwin', { HOME: '/Users/ann', XDG_DATA_HOME: '/xdg' }, '/Users/ann/Library/Application Support/grove'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/grove'],
  ] as const)('on %s with %o', (platform, environment, expected) => {
    expect(defaultDataDir(environment, platform)).toBe(expected);
  });
});
