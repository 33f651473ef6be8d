import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { GroveError, nearest } from '@grove/core';
import type { RuleSources } from '@grove/server';
import type { CallLimits } from '@grove/server/call-limit-settings';
import * as z from 'zod';
import { parseServer, SERVER_DEFAULTS, type ServerSettings, type ServerWords } from './addresses.ts';
import { commaList } from './comma-list.ts';
import { type EmbedderSettings, parseEmbedder } from './embedding/embedder-settings.ts';
import { parseLimits, parseProxies } from './serving/limit-settings.ts';
import { parseUpstreams, type UpstreamWords } from './serving/upstream-settings.ts';
import { parseSync, type SyncWords } from './settings/sync-settings.ts';

/** What `GROVE_LOG_LEVEL` may name. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const list = z
  .string()
  .transform((text, context) => {
    const entries = commaList(text);
    if (entries.length > 0 || text === '') return entries;
    // A list of nothing would limit nothing.
    context.addIssue({ code: 'custom', message: 'names no folder; leave it out to set no limit' });
    return z.NEVER;
  })
  .default([]);

const flag = z
  .enum(['0', '1', 'true', 'false', 'yes', 'no', 'on', 'off', ''], {
    error: 'is neither on (1, true, yes) nor off (0, false, no)',
  })
  .transform((text) => ['1', 'true', 'yes', 'on'].includes(text))
  .default(false);

const poll = z
  .string()
  .transform((text, context) => {
    const switched = flag.safeParse(text.toLowerCase());
    if (switched.success) return switched.data;
    const milliseconds = Number(text);
    if (Number.isInteger(milliseconds) && milliseconds >= 1000) return milliseconds;
    context.addIssue({ code: 'custom', message: 'is neither on, off, nor at least 1000 milliseconds' });
    return z.NEVER;
  })
  .default(false);

const EMBEDDERS = ['local', 'off', 'voyage', 'openai'] as const;

const dimensions = z
  .string()
  .transform((text, context) => {
    const count = Number(text);
    if (text === '') return null;
    if (Number.isInteger(count) && count >= 8 && count <= 8192) return count;
    context.addIssue({ code: 'custom', message: 'is no whole number from 8 to 8192' });
    return z.NEVER;
  })
  .nullable()
  .default(null);

/** How long the audit is kept where nothing is said. */
const AUDIT_DAYS = 90;

const auditDays = z
  .string()
  .transform((text, context) => {
    const days = Number(text);
    if (text === '') return AUDIT_DAYS;
    if (/^\d{1,5}$/.test(text) && days >= 1) return days;
    context.addIssue({ code: 'custom', message: 'is no whole number of days from 1' });
    return z.NEVER;
  })
  .default(AUDIT_DAYS);

/** Every environment variable that Grove reads. */
const ENVIRONMENT = z.object({
  GROVE_VAULT: z.string().optional(),
  GROVE_DATA: z.string().optional(),
  GROVE_READ_PATHS: list,
  GROVE_WRITE_PATHS: list,
  GROVE_DENY_PATHS: list,
  GROVE_READ_ONLY: z.preprocess((text) => (typeof text === 'string' ? text.toLowerCase() : text), flag),
  GROVE_POLL: poll,
  GROVE_HOST: z.string().optional(),
  GROVE_PORT: z.string().optional(),
  GROVE_PUBLIC_URL: z.string().optional(),
  GROVE_ALLOWED_HOSTS: z.string().optional(),
  GROVE_ALLOWED_ORIGINS: z.string().optional(),
  GROVE_TRUST_PROXY: z.string().optional(),
  GROVE_LIMIT_READS: z.string().optional(),
  GROVE_LIMIT_WRITES: z.string().optional(),
  GROVE_LIMIT_OPERATIONS: z.string().optional(),
  GROVE_EMBEDDER: z.preprocess(
    (text) => (typeof text === 'string' ? text.trim().toLowerCase() || undefined : text),
    z.enum(EMBEDDERS, { error: `is none of ${EMBEDDERS.join(', ')}` }).default('local'),
  ),
  GROVE_EMBEDDER_URL: z.string().optional(),
  GROVE_EMBEDDER_MODEL: z.string().optional(),
  GROVE_EMBEDDER_KEY: z.string().optional(),
  GROVE_EMBEDDER_DIMENSIONS: dimensions,
  GROVE_AUDIT_DAYS: auditDays,
  GROVE_OWNER_PASSPHRASE_FILE: z.string().optional(),
  GROVE_GITHUB_CLIENT_ID: z.string().optional(),
  GROVE_GITHUB_CLIENT_SECRET: z.string().optional(),
  GROVE_GITHUB_CLIENT_SECRET_FILE: z.string().optional(),
  GROVE_GOOGLE_CLIENT_ID: z.string().optional(),
  GROVE_GOOGLE_CLIENT_SECRET: z.string().optional(),
  GROVE_GOOGLE_CLIENT_SECRET_FILE: z.string().optional(),
  GROVE_SYNC: z.string().optional(),
  GROVE_SYNC_TOKEN: z.string().optional(),
  GROVE_SYNC_TOKEN_FILE: z.string().optional(),
  GROVE_SYNC_WEBHOOK_SECRET: z.string().optional(),
  GROVE_SYNC_WEBHOOK_SECRET_FILE: z.string().optional(),
  GROVE_SYNC_PULL_SECONDS: z.string().optional(),
  GROVE_SYNC_PUSH_SECONDS: z.string().optional(),
  GROVE_LOG_LEVEL: z.enum(LOG_LEVELS, { error: `is none of ${LOG_LEVELS.join(', ')}` }).optional(),
});
/** The variables that say where the server listens, by what they are called here. */
const SERVER_VARIABLES: Readonly<Record<keyof ServerWords, keyof typeof ENVIRONMENT.shape>> = {
  host: 'GROVE_HOST',
  port: 'GROVE_PORT',
  publicUrl: 'GROVE_PUBLIC_URL',
  allowedHosts: 'GROVE_ALLOWED_HOSTS',
  allowedOrigins: 'GROVE_ALLOWED_ORIGINS',
};
/** Read by the tests alone. */
const TEST_VARIABLES = ['GROVE_TEST_DATA'];

/** The settings of one run, from the environment. */
export interface Settings {
  readonly vault: string | null;
  readonly dataDir: string;
  /** Where data goes when nothing is named. */
  readonly defaultDataDir: string;
  /**
   * The variables that limit what may be read, as they were given, and those of the embedder: a client must start Grove
   * with the same ones.
   */
  readonly limits: Readonly<Record<string, string>>;
  readonly rules: RuleSources;
  /** True, or the interval in milliseconds. */
  readonly poll: boolean | number;
  readonly embedder: EmbedderSettings;
  /** How many days a server keeps the audit. */
  readonly auditDays: number;
  /** A file that holds the passphrase of the owner. */
  readonly ownerPassphraseFile: string | null;
  /** Where else the owner may sign in. */
  readonly upstreams: readonly UpstreamWords[];
  /** How vaults are kept level with a remote; `readSync` reads the secrets. */
  readonly sync: SyncWords;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** For verbs that do one thing and end: what they have to say is in their answer. */
  readonly verbLogLevel: (typeof LOG_LEVELS)[number];
  readonly runtimeDir: string | null;
  readonly server: ServerSettings;
  readonly trustedProxies: readonly string[];
  readonly callLimits: CallLimits;
  /** Sentences about variables that look like ours and are none. */
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the `GROVE_*` variables. Throws `bad_input` with the variable's name for a value that is not valid, and for
 * a name that is nearly one of ours: a deny list with a slip in its name must not be ignored.
 *
 * @param from the folder that a relative data folder starts from
 * @example readSettings({ GROVE_DENY_PATHS: 'Private,Work/Secret' }, '/').rules.denyPaths // ['Private', 'Work/Secret']
 */
export function readSettings(
  environment: Environment,
  from: string,
  platform: NodeJS.Platform = process.platform,
): Settings {
  const warnings = unknownVariables(environment);
  const parsed = ENVIRONMENT.safeParse(environment);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new GroveError('bad_input', { reason: `${issue?.path.join('.')} ${issue?.message}` });
  }
  const values = parsed.data;
  const defaultDir = resolve(defaultDataDir(environment, platform));
  const given = present(values.GROVE_DATA);
  return {
    vault: present(values.GROVE_VAULT),
    dataDir: given === null ? defaultDir : resolve(from, given),
    defaultDataDir: defaultDir,
    limits: { ...limitsOf(environment), ...embedderOf(environment) },
    rules: {
      readPaths: values.GROVE_READ_PATHS,
      writePaths: values.GROVE_WRITE_PATHS,
      denyPaths: values.GROVE_DENY_PATHS,
      readOnly: values.GROVE_READ_ONLY,
    },
    poll: values.GROVE_POLL,
    embedder: parseEmbedder({
      kind: values.GROVE_EMBEDDER,
      url: present(values.GROVE_EMBEDDER_URL),
      model: present(values.GROVE_EMBEDDER_MODEL),
      key: present(values.GROVE_EMBEDDER_KEY),
      dimensions: values.GROVE_EMBEDDER_DIMENSIONS,
    }),
    auditDays: values.GROVE_AUDIT_DAYS,
    ownerPassphraseFile: present(values.GROVE_OWNER_PASSPHRASE_FILE),
    upstreams: parseUpstreams(environment),
    sync: parseSync(environment),
    logLevel: values.GROVE_LOG_LEVEL ?? 'warn',
    verbLogLevel: values.GROVE_LOG_LEVEL ?? 'error',
    runtimeDir: present(environment.XDG_RUNTIME_DIR),
    server: parseServer(serverWords(values), SERVER_DEFAULTS, (word) => SERVER_VARIABLES[word]),
    trustedProxies: parseProxies(values.GROVE_TRUST_PROXY),
    callLimits: parseLimits({
      reads: values.GROVE_LIMIT_READS,
      writes: values.GROVE_LIMIT_WRITES,
      operations: values.GROVE_LIMIT_OPERATIONS,
    }),
    warnings,
  };
}

/** The data folder where none is named: XDG, Application Support or LocalAppData, each with `grove`. */
export function defaultDataDir(environment: Environment, platform: NodeJS.Platform): string {
  const home = present(environment.HOME) ?? homedir();
  if (platform === 'win32')
    return join(present(environment.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'), 'grove');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'grove');
  const xdg = present(environment.XDG_DATA_HOME);
  // https://specifications.freedesktop.org/basedir/latest/: a relative path is invalid and must be ignored.
  return join(xdg?.startsWith('/') === true ? xdg : join(home, '.local', 'share'), 'grove');
}

function serverWords(values: z.infer<typeof ENVIRONMENT>): ServerWords {
  return {
    host: present(values.GROVE_HOST) ?? undefined,
    port: present(values.GROVE_PORT) ?? undefined,
    publicUrl: present(values.GROVE_PUBLIC_URL) ?? undefined,
    allowedHosts: present(values.GROVE_ALLOWED_HOSTS) ?? undefined,
    allowedOrigins: present(values.GROVE_ALLOWED_ORIGINS) ?? undefined,
  };
}

function limitsOf(environment: Environment): Record<string, string> {
  return givenOf(environment, [
    'GROVE_READ_PATHS',
    'GROVE_WRITE_PATHS',
    'GROVE_DENY_PATHS',
    'GROVE_READ_ONLY',
  ]);
}

function givenOf(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = present(environment[name]);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * Those of the embedder, without its key: that is not copied into the files of clients, and where it is needed they embed
 * nothing, for with another model they would replace the vectors.
 */
function embedderOf(environment: Environment): Record<string, string> {
  if (present(environment.GROVE_EMBEDDER_KEY) !== null) return { GROVE_EMBEDDER: 'off' };
  return givenOf(environment, [
    'GROVE_EMBEDDER',
    'GROVE_EMBEDDER_URL',
    'GROVE_EMBEDDER_MODEL',
    'GROVE_EMBEDDER_DIMENSIONS',
  ]);
}

function unknownVariables(environment: Environment): string[] {
  const known = Object.keys(ENVIRONMENT.shape);
  const warnings: string[] = [];
  for (const name of Object.keys(environment)) {
    const upper = name.toUpperCase();
    if (!upper.startsWith('GROVE_') || known.includes(name) || TEST_VARIABLES.includes(name)) continue;
    // Without what all begin with, and no parts: GROVE_SERVICE_PORT may come from elsewhere.
    const [near] = nearest(nameOf(upper), known.map(nameOf), 1, { parts: false });
    if (near !== undefined)
      throw new GroveError('bad_input', { reason: `${name} is not a setting; did you mean GROVE_${near}?` });
    warnings.push(`${name} is not a setting of Grove and is ignored. Settings: ${known.join(', ')}.`);
  }
  return warnings;
}

function nameOf(variable: string): string {
  return variable.slice('GROVE_'.length);
}

function present(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}
