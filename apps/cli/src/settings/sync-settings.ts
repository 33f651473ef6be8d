import { GroveError } from '@grove/core';
import type { Run } from '../run.ts';
import { readText } from '../writing/read-text.ts';

/** What `GROVE_SYNC` may say. */
export const SYNC_MODES = ['off', 'on', 'pull', 'push'] as const;

/** How vaults are kept level with a git remote, as the settings have it. */
export interface SyncSettings {
  /** Null where nothing is said: what was stored for the vault counts. */
  readonly mode: (typeof SYNC_MODES)[number] | null;
  readonly token: string | null;
  /** What signs webhooks; null where they are refused. */
  readonly webhookSecret: string | null;
  /** 0: only on demand. */
  readonly pullSeconds: number;
  readonly pushSeconds: number;
}

/** A secret that is said, or the file that holds it. */
export interface SecretWords {
  readonly value: string | null;
  readonly file: string | null;
}

/** The settings before files with secrets are read. */
export interface SyncWords extends Omit<SyncSettings, 'token' | 'webhookSecret'> {
  readonly token: SecretWords;
  readonly webhookSecret: SecretWords;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the variables of sync say; secrets in files stay there until {@link readSync}, for a verb that does not sync may be
 * run by who cannot read them.
 *
 * @throws GroveError `bad_input` with the variable's name
 * @example parseSync({ GROVE_SYNC: 'pull' }).mode // 'pull'
 */
export function parseSync(environment: Environment): SyncWords {
  const said = environment.GROVE_SYNC?.trim().toLowerCase() || null;
  const mode = SYNC_MODES.find((one) => one === said) ?? null;
  if (said !== null && mode === null) throw refuse(`GROVE_SYNC is none of ${SYNC_MODES.join(', ')}`);
  return {
    mode,
    token: secretWords(environment, 'GROVE_SYNC_TOKEN'),
    webhookSecret: secretWords(environment, 'GROVE_SYNC_WEBHOOK_SECRET'),
    pullSeconds: seconds(environment, 'GROVE_SYNC_PULL_SECONDS', { least: 0, otherwise: 300 }),
    pushSeconds: seconds(environment, 'GROVE_SYNC_PUSH_SECONDS', { least: 1, otherwise: 30 }),
  };
}

/**
 * The settings of sync of a run, with the secrets that are in files.
 *
 * @throws GroveError `bad_input` for a file that cannot be read or holds nothing
 */
export async function readSync(run: Run): Promise<SyncSettings> {
  const { sync } = run.settings;
  return {
    ...sync,
    token: await readSecret(run, sync.token, 'GROVE_SYNC_TOKEN_FILE'),
    webhookSecret: await readSecret(run, sync.webhookSecret, 'GROVE_SYNC_WEBHOOK_SECRET_FILE'),
  };
}

async function readSecret(run: Run, { value, file }: SecretWords, name: string): Promise<string | null> {
  if (file === null) return value;
  const secret = (await readText(run, file)).trim();
  if (secret === '') throw refuse(`${name} names a file that holds nothing`);
  return secret;
}

function secretWords(environment: Environment, name: string): SecretWords {
  const value = environment[name]?.trim() || null;
  const file = environment[`${name}_FILE`]?.trim() || null;
  if (value !== null && file !== null) throw refuse(`${name} and ${name}_FILE are both set; leave one out`);
  return { value, file };
}

function seconds(
  environment: Environment,
  name: string,
  { least, otherwise }: { readonly least: number; readonly otherwise: number },
): number {
  const text = environment[name]?.trim() ?? '';
  if (text === '') return otherwise;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw refuse(`${name} is no whole number of seconds from ${least} to 999999`);
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
