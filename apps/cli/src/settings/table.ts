import { parseProxy, parsePublicUrl } from '@grove/server/addresses';
import { DEFAULT_CALL_LIMITS } from '@grove/server/call-limit-settings';
import * as z from 'zod';
import { parseEmbedderUrl } from './embedder-url.ts';
import { list, oneOf, onOff, parsed, paths, text, wholeNumber } from './kinds.ts';
import { listenHost, parsePort } from './listening.ts';

/** What a person has to know of a setting, and how it is read. */
export interface Setting {
  readonly group: (typeof GROUPS)[number];
  readonly schema: z.ZodType;
  /** Ends without a full stop. */
  readonly meaning: string;
  /** What stands for its value in a usage line; in square brackets where a flag alone means on. */
  readonly value: string;
  /** Where nothing is said, in words; the schema's own where that says it. */
  readonly otherwise?: string;
  /** Which verbs take it as a flag: all of them, those that serve, `start` alone, or none, since others see a command line. */
  readonly flag: 'every' | 'serving' | 'start' | 'none';
  /** A path is relative to the file that names it; of a list the file may have several entries; a secret is not shown. */
  readonly kind?: 'path' | 'list' | 'secret';
}

/** What the settings are about, in the order in which they are told. */
export const GROUPS = [
  'Vault and data',
  'Server',
  'Signing in',
  'Search by meaning',
  'Sync',
  'Limits',
  'Log',
] as const;

/** What `GROVE_LOG_LEVEL` may name. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What `GROVE_LOG_FORMAT` may name. */
export const LOG_FORMATS = ['json', 'pretty'] as const;

const poll = z.union([onOff().unwrap(), wholeNumber(1000, 9_999_999, '')], {
  error: 'is neither on, off, nor at least 1000 milliseconds',
});

const callsAMinute = wholeNumber(0, 9_999_999, ' of calls a minute', '; 0 sets no limit');

/** A secret that is said itself, and the file that it may be in instead. */
const secret = { schema: text(), kind: 'secret', value: '<secret>', flag: 'none' } as const;
const secretFile = { schema: text(), kind: 'path', value: '<file>', flag: 'start' } as const;

/**
 * Every setting. Its name makes all others: `readPaths` is `GROVE_READ_PATHS` in the environment, `--read-paths` on a
 * command line and `read-paths` in a file.
 */
export const SETTINGS = {
  vault: {
    group: 'Vault and data',
    schema: z.union([text(), z.array(z.string().trim())]).default(null),
    meaning: 'the folder of notes, or the short name of a known vault',
    value: '<dir>',
    otherwise: 'the only known vault beside the sample; else the sample vault',
    flag: 'every',
    kind: 'list',
  },
  data: {
    group: 'Vault and data',
    schema: text(),
    meaning: 'where state is kept',
    value: '<dir>',
    otherwise:
      '`$XDG_DATA_HOME/grove`, `~/.local/share/grove`; Application Support on macOS, LocalAppData on Windows',
    flag: 'every',
    kind: 'path',
  },
  readPaths: {
    group: 'Vault and data',
    schema: paths(),
    meaning: 'only these folders or globs are readable',
    value: '<paths>',
    otherwise: 'everything',
    flag: 'serving',
    kind: 'list',
  },
  denyPaths: {
    group: 'Vault and data',
    schema: paths(),
    meaning: 'never these; deny wins',
    value: '<paths>',
    otherwise: 'nothing',
    flag: 'serving',
    kind: 'list',
  },
  writePaths: {
    group: 'Vault and data',
    schema: paths(),
    meaning: 'only these may be written, once writing is on',
    value: '<paths>',
    otherwise: 'all that may be read',
    flag: 'serving',
    kind: 'list',
  },
  readOnly: {
    group: 'Vault and data',
    schema: onOff(),
    meaning: 'nothing may be written, whatever else is said',
    value: '[on|off]',
    flag: 'serving',
  },
  poll: {
    group: 'Vault and data',
    schema: poll.default(false),
    meaning:
      'look for changes again and again: on, off, or milliseconds between sweeps, for mounts that send no events',
    value: '[on|off|ms]',
    flag: 'serving',
  },
  auditDays: {
    group: 'Vault and data',
    schema: wholeNumber(1, 99_999, ' of days').default(90),
    meaning: 'how many days a server keeps the audit and what ended of OAuth',
    value: '<days>',
    flag: 'start',
  },
  host: {
    group: 'Server',
    schema: parsed(listenHost).default('127.0.0.1'),
    meaning: 'the address to listen on: an IP address or a name of this machine',
    value: '<address>',
    flag: 'start',
  },
  port: {
    group: 'Server',
    schema: parsed(parsePort).default(8420),
    meaning: 'the port; 0 takes any free one',
    value: '<n>',
    flag: 'start',
  },
  publicUrl: {
    group: 'Server',
    schema: parsed(parsePublicUrl).nullable().default(null),
    meaning: 'where others reach the server, behind a proxy perhaps, such as https://notes.example.org',
    value: '<url>',
    flag: 'start',
  },
  allowedHosts: {
    group: 'Server',
    schema: list(),
    meaning: 'further host names to answer to, such as nas.local or *.tailnet.ts.net',
    value: '<names>',
    flag: 'start',
    kind: 'list',
  },
  allowedOrigins: {
    group: 'Server',
    schema: list(),
    meaning: 'web pages that may call, such as https://app.example or app://obsidian.md',
    value: '<origins>',
    flag: 'start',
    kind: 'list',
  },
  trustProxy: {
    group: 'Server',
    schema: list(parseProxy),
    meaning: 'proxies whose X-Forwarded-For counts, such as loopback, 192.168.1.2 or 172.16.0.0/12',
    value: '<proxies>',
    flag: 'start',
    kind: 'list',
  },
  ownerPassphraseFile: {
    ...secretFile,
    group: 'Signing in',
    meaning:
      "a file with the passphrase of the owner's page, read at each start; another one in it ends every session",
  },
  githubClientId: {
    group: 'Signing in',
    schema: text(),
    meaning: "the id of an OAuth app of GitHub's by which the owner signs in",
    value: '<id>',
    flag: 'start',
  },
  githubClientSecret: { ...secret, group: 'Signing in', meaning: 'its secret' },
  githubClientSecretFile: { ...secretFile, group: 'Signing in', meaning: 'a file with its secret' },
  googleClientId: {
    group: 'Signing in',
    schema: text(),
    meaning: "the id of an OAuth client of Google's by which the owner signs in",
    value: '<id>',
    flag: 'start',
  },
  googleClientSecret: { ...secret, group: 'Signing in', meaning: 'its secret' },
  googleClientSecretFile: { ...secretFile, group: 'Signing in', meaning: 'a file with its secret' },
  embedder: {
    group: 'Search by meaning',
    schema: oneOf(['local', 'off', 'voyage', 'openai']).default('local'),
    meaning: 'what turns notes into vectors: local, voyage, openai (any server that speaks its API) or off',
    value: '<kind>',
    flag: 'serving',
  },
  embedderUrl: {
    group: 'Search by meaning',
    schema: parsed(parseEmbedderUrl).default(null),
    meaning:
      'for openai the address, such as http://localhost:11434/v1; for voyage another address than its own',
    value: '<url>',
    flag: 'serving',
  },
  embedderModel: {
    group: 'Search by meaning',
    schema: text(),
    meaning: 'the name of the model; openai needs it',
    value: '<name>',
    otherwise: '`voyage-4-large` for voyage',
    flag: 'serving',
  },
  embedderKey: {
    ...secret,
    group: 'Search by meaning',
    meaning: 'the key; voyage needs it, a local server as a rule not',
  },
  embedderKeyFile: {
    ...secretFile,
    group: 'Search by meaning',
    meaning: 'a file with the key',
    flag: 'serving',
  },
  embedderDimensions: {
    group: 'Search by meaning',
    schema: wholeNumber(8, 8192, '').nullable().default(null),
    meaning: 'numbers of a vector; openai asks the server when nothing is said',
    value: '<n>',
    otherwise: '1024 for voyage',
    flag: 'serving',
  },
  sync: {
    group: 'Sync',
    schema: oneOf(['off', 'on', 'pull', 'push']).nullable().default(null),
    meaning: 'keep vaults level with their git remote: on, off, or one direction alone, pull or push',
    value: '<how>',
    otherwise: 'what "grove sync" stored for the vault; else off',
    flag: 'start',
  },
  syncToken: { ...secret, group: 'Sync', meaning: 'the token that the remote asks for' },
  syncTokenFile: { ...secretFile, group: 'Sync', meaning: 'a file with that token' },
  syncWebhookSecret: {
    ...secret,
    group: 'Sync',
    meaning: 'what signs webhooks; without it they are refused',
  },
  syncWebhookSecretFile: { ...secretFile, group: 'Sync', meaning: 'a file with that secret' },
  syncPullSeconds: {
    group: 'Sync',
    schema: wholeNumber(0, 999_999, ' of seconds').default(300),
    meaning: 'how often to pull; 0 for never by itself',
    value: '<seconds>',
    flag: 'start',
  },
  syncPushSeconds: {
    group: 'Sync',
    schema: wholeNumber(1, 999_999, ' of seconds').default(30),
    meaning: 'how long after the last change to push',
    value: '<seconds>',
    flag: 'start',
  },
  limitReads: {
    group: 'Limits',
    schema: callsAMinute.default(DEFAULT_CALL_LIMITS.reads),
    meaning: 'calls a minute and key, or OAuth connection, that read; 0 for no limit',
    value: '<n>',
    flag: 'start',
  },
  limitWrites: {
    group: 'Limits',
    schema: callsAMinute.default(DEFAULT_CALL_LIMITS.writes),
    meaning: 'calls that write',
    value: '<n>',
    flag: 'start',
  },
  limitOperations: {
    group: 'Limits',
    schema: callsAMinute.default(DEFAULT_CALL_LIMITS.operations),
    meaning: 'operations inside these calls: each of a batch, each path of multi_get, each search of a query',
    value: '<n>',
    flag: 'start',
  },
  logLevel: {
    group: 'Log',
    schema: oneOf(LOG_LEVELS).nullable().default(null),
    meaning: `${LOG_LEVELS.join(', ')}; the log goes to stderr and holds no note text`,
    value: '<level>',
    otherwise: 'warn; error for verbs that end by themselves',
    flag: 'serving',
  },
  logFormat: {
    group: 'Log',
    schema: oneOf(LOG_FORMATS).nullable().default(null),
    meaning: 'json: a line for programs each; pretty: lines for people',
    value: '<format>',
    otherwise: 'pretty on a terminal, else json',
    flag: 'serving',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a setting in this code. */
export type SettingName = keyof typeof SETTINGS;

/** The settings as values. */
export type Values = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** All settings, in order. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];
