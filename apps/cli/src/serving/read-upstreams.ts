import type { UpstreamSetting } from '@grove/server';
import type { Run } from '../run.ts';
import { readText } from '../writing/read-text.ts';
import type { UpstreamWords } from './upstream-settings.ts';

/**
 * The places elsewhere at which the owner may sign in, with the secrets that are in files.
 *
 * @throws GroveError `bad_input` for a file that cannot be read
 */
export async function readUpstreams(
  run: Run,
  upstreams: readonly UpstreamWords[],
): Promise<readonly UpstreamSetting[]> {
  return await Promise.all(
    upstreams.map(async ({ provider, clientId, secret, secretFile }) => ({
      provider,
      clientId,
      clientSecret: secret ?? (await readText(run, secretFile ?? '')).trim(),
    })),
  );
}
