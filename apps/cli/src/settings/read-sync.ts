import type { Run } from '../run.ts';
import { readSecret } from './read-secret.ts';
import type { SyncSettings } from './sync-settings.ts';

/**
 * The settings of sync of a run, with the secrets that are in files.
 *
 * @throws GroveError `bad_input` for a file that cannot be read or holds nothing
 */
export async function readSync(run: Run): Promise<SyncSettings> {
  const { sync } = run.settings;
  return {
    ...sync,
    token: readSecret(run, sync.token),
    webhookSecret: readSecret(run, sync.webhookSecret),
  };
}
