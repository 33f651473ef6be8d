import { join, resolve } from 'node:path';
import { GroveError } from '@grove/core';
import type { RuleSources } from '@grove/server';
import type { CallLimits } from '@grove/server/call-limit-settings';
import * as z from 'zod';
import { dataFolderOf, type Environment } from '../system-folders.ts';
import { clientEnvironment } from './client-environment.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { type EmbedderSettings, embedderSettings } from './embedder-settings.ts';
import {
  type AllGiven,
  type Flags,
  foreignVariables,
  givenByEnvironment,
  givenByFlags,
  merged,
} from './given.ts';
import type { Called } from './secrets.ts';
import { variableOf } from './setting-names.ts';
import { type SyncWords, syncWords } from './sync-settings.ts';
import {
  type LOG_FORMATS,
  type LOG_LEVELS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Values,
} from './table.ts';
import { type UpstreamWords, upstreamWords } from './upstream-settings.ts';

/** Where `grove start` listens and what it answers to; host names and origins are judged where they are used. */
export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where others reach the server, without a trailing slash; null when it is for this machine alone. */
  readonly publicUrl: string | null;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** The settings of one run. */
export interface Settings {
  /** Folders or short names; several only for `grove start`. */
  readonly vaults: readonly string[];
  readonly dataDir: string;
  /** Where data goes when nothing is named. */
  readonly defaultDataDir: string;
  /**
   * Variables that limit what may be read, and those of the embedder, as they must be set where a client starts Grove itself,
   * so that the same holds.
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
  /** Null: what the stream is for decides. */
  readonly logFormat: (typeof LOG_FORMATS)[number] | null;
  readonly runtimeDir: string | null;
  readonly server: ServerSettings;
  readonly trustedProxies: readonly string[];
  readonly callLimits: CallLimits;
  /** Each setting by itself, and what was given of them. */
  readonly values: Values;
  readonly given: AllGiven;
  /** The file that was read; null for none. */
  readonly configFile: string | null;
  /** Sentences about what is ignored, and about secrets that others may read. */
  readonly warnings: readonly string[];
}

/** What settings are read from. */
export interface SettingSources {
  readonly environment: Environment;
  readonly flags?: Flags;
  /** The file of `--config`. */
  readonly config?: string | undefined;
  /** The folder that relative names start from. */
  readonly from: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * The settings of a run: a flag wins over the environment, that over the file, and that over what holds where nothing is
 * said.
 *
 * @throws GroveError `bad_input` with one sentence that names what cannot be taken, as who gave it knows it
 * @example (await readSettings({ environment: { GROVE_PORT: '9000' }, from: '/' })).server.port // 9000
 */
export async function readSettings(sources: SettingSources): Promise<Settings> {
  const { environment, config, from, platform = process.platform } = sources;
  const named = config ?? (environment.GROVE_CONFIG || null);
  return settingsOf(sources, await readConfigFile(named, environment, { from, platform }));
}

/** The same where it is known what the file says. */
export function settingsOf(
  { environment, flags = {}, from, platform = process.platform }: SettingSources,
  file: ConfigFile | null,
): Settings {
  const given = merged(
    givenByFlags(flags),
    givenByEnvironment(environment),
    file?.given ?? new Map<SettingName, never>(),
  );
  const called: Called = (name) => given.get(name)?.called ?? variableOf(name);
  const values = valuesOf(given, called);
  const { embedder, warnings } = embedderSettings(values, called, from);
  const defaultDir = resolve(defaultDataDir(environment, platform));
  return {
    vaults: values.vault === null ? [] : [values.vault].flat(),
    dataDir: values.data === null ? defaultDir : resolve(from, values.data),
    defaultDataDir: defaultDir,
    limits: clientEnvironment(given, file, from),
    rules: {
      readPaths: values.readPaths,
      writePaths: values.writePaths,
      denyPaths: values.denyPaths,
      readOnly: values.readOnly,
    },
    poll: values.poll,
    embedder,
    auditDays: values.auditDays,
    ownerPassphraseFile: values.ownerPassphraseFile,
    upstreams: upstreamWords(values, called),
    sync: syncWords(values, called),
    logLevel: values.logLevel ?? 'warn',
    verbLogLevel: values.logLevel ?? 'error',
    logFormat: values.logFormat,
    runtimeDir: environment.XDG_RUNTIME_DIR || null,
    server: {
      host: values.host,
      port: values.port,
      publicUrl: values.publicUrl,
      allowedHosts: values.allowedHosts,
      allowedOrigins: values.allowedOrigins,
    },
    trustedProxies: values.trustProxy,
    callLimits: {
      reads: values.limitReads,
      writes: values.limitWrites,
      operations: values.limitOperations,
    },
    values,
    given,
    configFile: file?.path ?? null,
    warnings: [...foreignVariables(environment), ...(file?.warnings ?? []), ...warnings],
  };
}

/** The data folder where none is named: XDG, Application Support or LocalAppData, each with `grove`. */
export function defaultDataDir(environment: Environment, platform: NodeJS.Platform): string {
  return join(dataFolderOf(environment, platform), 'grove');
}

function valuesOf(given: AllGiven, called: Called): Values {
  const schema = z.object(
    Object.fromEntries(SETTING_NAMES.map((name): [string, z.ZodType] => [name, SETTINGS[name].schema])),
  );
  const parsed = schema.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])));
  if (parsed.success) return parsed.data as Values;
  const [issue] = parsed.error.issues;
  const reason = `${called(issue?.path[0] as SettingName)} ${issue?.message}`;
  throw new GroveError('bad_input', { reason });
}
