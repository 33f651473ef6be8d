import { type Called, type SecretWords, secretWords } from './secrets.ts';
import type { Values } from './table.ts';

/** How vaults are kept level with a git remote, as the settings have it. */
export interface SyncSettings {
  /** Null where nothing is said: what was stored for the vault counts. */
  readonly mode: 'off' | 'on' | 'pull' | 'push' | null;
  readonly token: string | null;
  /** What signs webhooks; null where they are refused. */
  readonly webhookSecret: string | null;
  /** 0: only on demand. */
  readonly pullSeconds: number;
  readonly pushSeconds: number;
}

/** The settings before files with secrets are read: a verb that does not sync may be run by who cannot read them. */
export interface SyncWords extends Omit<SyncSettings, 'token' | 'webhookSecret'> {
  readonly token: SecretWords;
  readonly webhookSecret: SecretWords;
}

/** What the settings of sync say. */
export function syncWords(values: Values, called: Called): SyncWords {
  return {
    mode: values.sync,
    token: secretWords(values, 'syncToken', called),
    webhookSecret: secretWords(values, 'syncWebhookSecret', called),
    pullSeconds: values.syncPullSeconds,
    pushSeconds: values.syncPushSeconds,
  };
}
